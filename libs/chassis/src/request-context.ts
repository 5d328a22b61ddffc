import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestContext {
  /** Id of the outside request that all this work belongs to; without one, the job's. */
  requestId: string;
  /** Id of the job that does it, if one does. */
  jobId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work so that every log line, internal call and job below it carries this id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return storage.run({ ...storage.getStore(), requestId }, work);
}

/** The same for a job, with its id and that of the request that caused it. */
export function withJobId<T>(
  { id, requestId }: { id: string; requestId?: string | null },
  work: () => T,
): T {
  return storage.run({ requestId: requestId ?? id, jobId: id }, work);
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
