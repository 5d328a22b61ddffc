import {
  startStandIn,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
} from '@fiado/chassis/testing/stand-in';

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

type Responder = (request: SeenRequest) => StandInAnswer | Promise<StandInAnswer>;

/** A small real HTTP server in the place of the gateway. */
export class StandInApi {
  readonly seen: SeenRequest[] = [];
  private readonly responders = new Map<string, Responder>();
  private server: StandIn | undefined;

  /** @param route `GET /corner-stores`, without /v1/admin */
  on(route: string, responder: Responder | StandInAnswer): void {
    this.responders.set(route, typeof responder === 'function' ? responder : () => responder);
  }

  async start(): Promise<this> {
    this.server = await startStandIn((request) => this.answer(request));
    return this;
  }

  /** Also forgets what it was asked and told to answer. */
  async stop(): Promise<void> {
    await this.server?.stop();
    this.seen.length = 0;
    this.responders.clear();
  }

  get url(): string {
    return this.server?.url ?? '';
  }

  private answer({ method, path, headers, body }: StandInRequest): ReturnType<Responder> {
    const url = new URL(path, this.url);
    const request: SeenRequest = {
      method,
      path: url.pathname.replace('/v1/admin', ''),
      query: Object.fromEntries(url.searchParams),
      key: headers.authorization,
      body: body === '' ? undefined : JSON.parse(body),
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
