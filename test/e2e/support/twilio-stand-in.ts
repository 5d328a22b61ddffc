import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface TwilioPost {
  path: string;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
}

/** A local HTTP server in Twilio's place: it accepts every message and keeps what was posted. */
export interface TwilioStandIn {
  url: string;
  posts: TwilioPost[];
  /** Status of all answers from now on; an error repeats the request and its credentials. */
  status: number;
  stop(): Promise<void>;
}

export async function startTwilioStandIn(): Promise<TwilioStandIn> {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body));
      const { status, posts } = standIn;
      posts.push({ path: req.url ?? '', headers: req.headers, form });
      const sid = `SM${randomBytes(16).toString('hex')}`;
      const message = `refused ${req.headers.authorization}: ${body} (${form.To}, ${form.Body})`;
      res.writeHead(status, { 'content-type': 'application/json' });
      if (status >= 400) res.end(JSON.stringify({ status, code: 20404, message }));
      else res.end(JSON.stringify({ sid, id: sid, status: 'queued', ...form }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const standIn: TwilioStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts: [],
    status: 201,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
