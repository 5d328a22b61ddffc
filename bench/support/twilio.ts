import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local HTTP server in Twilio's place: it accepts every message and notes it. */
export interface TwilioStandIn {
  url: string;
  /** Each message to a phone, in order; milliseconds of the system's clock. */
  calls: Array<{ phone: string; text: string; atMs: number }>;
  stop(): Promise<void>;
}

export async function startTwilioStandIn(): Promise<TwilioStandIn> {
  const calls: TwilioStandIn['calls'] = [];
  const server = createServer((req, res) => {
    const atMs = Date.now();
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const form = new URLSearchParams(body);
      calls.push({ phone: form.get('To') ?? '', text: form.get('Body') ?? '', atMs });
      res.writeHead(201, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ sid: `SM${randomBytes(16).toString('hex')}`, status: 'queued' }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
