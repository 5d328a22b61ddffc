import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the stand-in got. */
export interface SeenRequest {
  method: string;
  /** Without /v1/admin. */
  path: string;
  query: Record<string, string>;
  key: string | undefined;
  /** As loose as JSON.parse leaves it. */
  body: ReturnType<typeof JSON.parse>;
}

export interface StandInAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Responder = (request: SeenRequest) => StandInAnswer | Promise<StandInAnswer>;

/** A small real HTTP server in the place of the gateway. */
export class StandInApi {
  readonly seen: SeenRequest[] = [];
  private readonly responders = new Map<string, Responder>();
  private readonly server = createServer((req, res) => {
    void this.answer(req).then(({ status = 200, body, headers = {} }) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    });
  });

  /** @param route `GET /corner-stores`, without /v1/admin */
  on(route: string, responder: Responder | StandInAnswer): void {
    this.responders.set(route, typeof responder === 'function' ? responder : () => responder);
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  /** Also forgets what it was asked and told to answer. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    this.seen.length = 0;
    this.responders.clear();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer(req: IncomingMessage): Promise<StandInAnswer> {
    const chunks = (await req.toArray()) as Buffer[];
    const text = Buffer.concat(chunks).toString();
    const url = new URL(req.url ?? '/', this.url);
    const request: SeenRequest = {
      method: req.method ?? '',
      path: url.pathname.replace('/v1/admin', ''),
      query: Object.fromEntries(url.searchParams),
      key: req.headers.authorization,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.seen.push(request);
    const responder = this.responders.get(`${request.method} ${request.path}`);
    if (responder === undefined) return refusal(404, 'ROUTE_NOT_FOUND', 'The route does not exist');
    return responder(request);
  }
}

export function refusal(status: number, errorCode: string, errorMessage: string): StandInAnswer {
  return { status, body: { errorCode, errorMessage } };
}

export function notValid(...message: string[]): StandInAnswer {
  return { status: 400, body: { statusCode: 400, message, error: 'Bad Request' } };
}
