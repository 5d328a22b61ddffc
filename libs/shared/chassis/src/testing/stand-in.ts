import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { SmsBudgetAnswer, SmsStatus, SmsStatusAnswer } from '@fiado/contracts/sms';
import { portOf, startListening } from '../http/server';

/** A request that a stand-in got, whole. */
export interface StandInRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Empty without one. */
  body: string;
  /** The body before it was decoded. */
  bytes: Buffer;
}

/** 200 and no headers without others; the body is sent as JSON, a string as it is. */
export interface StandInAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A real HTTP server in the place of another one. */
export interface StandIn {
  /** Without a slash at its end. */
  url: string;
  /** Also ends the connections that stand. */
  stop: () => Promise<void>;
}

/**
 * Starts a stand-in on this machine, on a free port without another.
 * @param answer without a result it answers by `res` itself, now, later or never. An error is
 * answered by a 400 with its text
 */
export async function startStandIn(
  answer: (
    request: StandInRequest,
    res: ServerResponse,
  ) => StandInAnswer | undefined | void | Promise<StandInAnswer | undefined | void>,
  { server = createServer(), port = 0 }: { server?: Server; port?: number } = {},
): Promise<StandIn> {
  server.on('request', (req, res) => {
    const { method = '', url: path = '', headers } = req;
    const respond = async (): Promise<void> => {
      const bytes = await buffer(req);
      const answered = await answer({ method, path, headers, bytes, body: bytes.toString() }, res);
      if (answered === undefined) return;
      const { status = 200, headers: own, body = '' } = answered;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      res.writeHead(status, { 'content-type': 'application/json', ...own }).end(text);
    };
    respond().catch((error: unknown) => res.writeHead(400).end(String(error)));
  });
  await startListening(server, '127.0.0.1', port);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A small HTTP server in the notifier's place. It answers as `budget` and `smsStatus` say. */
export interface NotifierStandIn extends StandIn {
  /** Questions so far: paths and bodies. */
  questions: Array<{ path: string; body: Record<string, unknown> }>;
  /** Whether budgets let an SMS out; a notifier that hangs does not answer at all. */
  budget: 'allowed' | 'refused' | 'hangs';
  smsStatus: SmsStatus | null;
}

export async function startNotifierStandIn(): Promise<NotifierStandIn> {
  const server = await startStandIn(({ path, body }) => {
    standIn.questions.push({ path, body: JSON.parse(body) as Record<string, unknown> });
    if (standIn.budget === 'hangs') return undefined;
    const answer: SmsBudgetAnswer | SmsStatusAnswer = path.endsWith('sms-budget')
      ? { allowed: standIn.budget === 'allowed' }
      : { status: standIn.smsStatus };
    return { body: answer };
  });
  const standIn: NotifierStandIn = {
    ...server,
    questions: [],
    budget: 'allowed',
    smsStatus: null,
  };
  return standIn;
}
