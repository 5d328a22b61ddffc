import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { closeServer, portOf, startListening } from '@fiado/chassis/http/server';
import type { FiadoEvent } from '@fiado/contracts/events';

/** A request as the receiver got it. */
export interface Received {
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
  event: FiadoEvent;
}

/** Answers a request, or leaves it open. */
export type Answering = (res: ServerResponse, received: Received) => void;

export const accept: Answering = (res) => res.writeHead(204).end();
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (res) =>
    res.writeHead(status, headers).end(body);

/** A receiver of webhooks, with a log that only grows. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answering = accept;
  /** Connections that were made, with or without a request. */
  connections = 0;

  private constructor(private readonly server: Server) {}

  static async start(host = '127.0.0.1'): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('connection', () => (receiver.connections += 1));
    server.on('request', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const received = {
          headers: req.headers as Received['headers'],
          body,
          event: JSON.parse(body) as FiadoEvent,
        };
        receiver.received.push(received);
        receiver.answer(res, received);
      });
    });
    await startListening(server, host, 0);
    return receiver;
  }

  get port(): number {
    return portOf(this.server);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Ids of the events that it got, in their order. */
  get ids(): string[] {
    return this.received.map(({ event }) => event.id);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await closeServer(this.server);
  }
}
