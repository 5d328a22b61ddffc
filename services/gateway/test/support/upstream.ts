import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as a service saw it. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  aborted: boolean;
}

/** A real HTTP server that stands in for a service: it records requests and answers as configured. */
export class Upstream {
  readonly seen: SeenRequest[] = [];
  readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  /** Replaces the usual answer, which contains the service's name. */
  answer: RequestListener | undefined;

  /** Takes connections and does nothing, as a suspended process. */
  isFrozen = false;

  constructor(readonly name: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, after a stop on the same port again. */
  async start(): Promise<void> {
    if (this.server !== undefined) return;
    const server = createServer((req, res) => this.take(req, res));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Ends at once, as a killed process does. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
  }

  private take(...[req, res]: Parameters<RequestListener>): void {
    if (this.isFrozen) return;
    if (req.url?.startsWith('/health/')) {
      res.end('{}');
      return;
    }
    const { method = '', url = '', headers } = req;
    const seen: SeenRequest = { method, url, headers, body: '', aborted: false };
    this.seen.push(seen);
    res.once('close', () => {
      seen.aborted = !res.writableFinished;
    });
    if (this.answer !== undefined) {
      this.answer(req, res);
      return;
    }
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      seen.body += chunk;
    });
    req.on('end', () => {
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ from: this.name }));
    });
  }
}
