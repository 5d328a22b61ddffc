import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { closeServer, portOf, startListening } from '@fiado/shared/chassis/http/server';

/** The reaction of the stand-in to the next form post. */
export type Behaviour =
  | 'accept'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-reset'
  | 'accept-then-nonsense'
  | { refuse: number; code?: number; retryAfter?: string };

export interface FormPost {
  path: string;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
  accepted: boolean;
}

/** Twilio's REST API as far as the notifier knows it, with a log of its own that only grows. */
export class TwilioStandIn {
  readonly posts: FormPost[] = [];
  /** Behaviours of the next posts, in order; after them the last one stays. */
  behaviours: Behaviour[] = ['accept'];

  /** Connections that were opened so far, and those that are open. */
  connections = 0;
  openConnections = 0;

  /** Only increases, so that SIDs stay unique even if a test empties the log. */
  private sids = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TwilioStandIn> {
    // Without a time-out of its own, so that a test sees the client's.
    const server = createServer({ keepAliveTimeout: 0 });
    const standIn = new TwilioStandIn(server);
    server.on('connection', (socket) => {
      standIn.connections += 1;
      standIn.openConnections += 1;
      socket.once('close', () => (standIn.openConnections -= 1));
    });
    server.on('request', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
        standIn.answer({ path: req.url ?? '', headers: req.headers, form }, res);
      });
    });
    await startListening(server, '127.0.0.1', 0);
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  /** Posts that Twilio would have sent an SMS for. */
  get accepted(): FormPost[] {
    return this.posts.filter((post) => post.accepted);
  }

  /** Accepts everything again, and forgets the posts so far. */
  reset(): void {
    this.posts.length = 0;
    this.behaviours = ['accept'];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await closeServer(this.server);
  }

  private answer(post: Omit<FormPost, 'accepted'>, res: ServerResponse): void {
    const behaviour = this.behaviours.length > 1 ? this.behaviours.shift() : this.behaviours[0];
    const accepted = typeof behaviour === 'string';
    this.posts.push({ ...post, accepted });
    if (behaviour === 'accept-then-hang') return;
    if (behaviour === 'accept-then-reset') {
      res.socket?.resetAndDestroy();
      return;
    }
    if (behaviour === 'accept-then-nonsense') {
      res.writeHead(201, { 'content-type': 'application/json' }).end(`{"to":"${post.form.To}`);
      return;
    }
    const { status, body, retryAfter } = answerOf(behaviour, (this.sids += 1), post.form);
    res.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    res.end(JSON.stringify(body));
  }
}

function answerOf(
  behaviour: Exclude<Behaviour, `accept-then-${'hang' | 'reset' | 'nonsense'}`> | undefined,
  number: number,
  form: Record<string, string>,
): { status: number; body: object; retryAfter?: string | undefined } {
  if (behaviour === 'accept-then-500') return { status: 500, body: { status: 500, code: 20500 } };
  if (typeof behaviour === 'object') {
    const { refuse: status, code, retryAfter } = behaviour;
    // As Twilio does: the text quotes the phone.
    const message = `The 'To' number ${form.To} with '${form.Body}' was refused.`;
    return { status, body: { status, code, message, more_info: '' }, retryAfter };
  }
  return {
    status: 201,
    body: { sid: `SM${String(number).padStart(32, '0')}`, status: 'queued', to: form.To },
  };
}
