import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SmsBudgetAnswer, SmsStatus, SmsStatusAnswer } from '../contracts/sms';

/** A small HTTP server in the notifier's place. It answers as `budget` and `smsStatus` say. */
export interface NotifierStandIn {
  url: string;
  /** Questions so far: paths and bodies. */
  questions: Array<{ path: string; body: Record<string, unknown> }>;
  /** Whether budgets let an SMS out; a notifier that hangs does not answer at all. */
  budget: 'allowed' | 'refused' | 'hangs';
  smsStatus: SmsStatus | null;
  stop(): Promise<void>;
}

export async function startNotifierStandIn(): Promise<NotifierStandIn> {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const path = req.url ?? '';
      standIn.questions.push({ path, body: JSON.parse(body) as Record<string, unknown> });
      if (standIn.budget === 'hangs') return;
      const answer: SmsBudgetAnswer | SmsStatusAnswer = path.endsWith('sms-budget')
        ? { allowed: standIn.budget === 'allowed' }
        : { status: standIn.smsStatus };
      res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: NotifierStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions: [],
    budget: 'allowed',
    smsStatus: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
