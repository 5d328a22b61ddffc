import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestContext {
  /** Id of the outside request that all this work belongs to; without one, the job's. */
  requestId: string;
  /** Id of the job that does it, if one does. */
  jobId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Whether this process has work that carries ids beside passing requests. */
let isNeeded = false;
let passing = 0;

/** Runs work so that every log line, internal call and job below it carries this id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  isNeeded = true;
  return storage.run({ ...storage.getStore(), requestId }, work);
}

/** The same for a job, with its id and that of the request that caused it. */
export function withJobId<T>(
  { id, requestId }: { id: string; requestId?: string | null },
  work: () => T,
): T {
  isNeeded = true;
  return storage.run({ requestId: requestId ?? id, jobId: id }, work);
}

/**
 * The same for a request of a process whose other work carries no ids: when the last such request has
 * ended, ids are switched off until the next. While they are on, Node before 24 calls a hook for
 * each promise and each callback of the process: 1 to 7 % of the CPU time of a forwarded request.
 * @param res what is left to do after it carries no id
 */
export function withPassingRequestId<T>(requestId: string, res: ServerResponse, work: () => T): T {
  passing += 1;
  res.once('close', () => {
    passing -= 1;
    if (passing === 0 && !isNeeded) storage.disable();
  });
  return storage.run({ requestId }, work);
}

/** The ids that a log line carries. */
export function currentIds(): Partial<RequestContext> {
  return storage.getStore() ?? {};
}

export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

const WELL_FORMED_ID = /^[\w.-]{1,100}$/;

/** The caller's X-Request-Id when it is well-formed, else a new UUID. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : randomUUID();
}
