import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { startStandIn, type StandIn } from './stand-in';

/** Of the processes that send their SMS to a stand-in. */
export const TWILIO_AUTH_TOKEN = 'a-token-of-twilio-that-is-secret';

/** The reaction of the stand-in to the next form post. Where it accepts one, an SMS is sent. */
export type Behaviour =
  | 'accept'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-reset'
  | 'accept-then-nonsense'
  | { refuse: number; code?: number; retryAfter?: string };

const UNAUTHORIZED: Behaviour = { refuse: 401, code: 20003 };

export interface FormPost {
  /** Milliseconds of the system's clock. */
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
  /** From the callback's address, which carries it. */
  messageId: string;
  accepted: boolean;
  /** Only where the sender was told it. */
  sid?: string;
}

/** Twilio's REST API as far as the notifier knows it, with a log of its own that only grows. */
export class TwilioStandIn {
  readonly posts: FormPost[] = [];
  /** Behaviours of the next posts, in order; after them the last one stays. */
  behaviours: Behaviour[] = ['accept'];
  /** The behaviour of a form post by its form, in place of the next one. */
  behaviourOf: (form: Record<string, string>) => Behaviour | undefined = refusalOfWhatsapp;
  /** Tokens that a call may have; unset: any. */
  authTokens: string[] | undefined;
  /** Ids of messages, in the order in which their deletion was asked for. */
  readonly deletions: string[] = [];
  /** The status of the next deletions: of a message that it does not have, 404. */
  deletionStatus = 204;

  /** Connections that were opened so far, and those that are open. */
  connections = 0;
  openConnections = 0;

  private server: StandIn | undefined;
  /** It stays while the port is closed. */
  url = '';

  private constructor() {}

  static async start(): Promise<TwilioStandIn> {
    const standIn = new TwilioStandIn();
    await standIn.open();
    return standIn;
  }

  /** Variables of processes that send their SMS here. */
  get variables() {
    return {
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN,
      TWILIO_FROM: '+15005550006',
      TWILIO_API_BASE_URL: this.url,
    };
  }

  /** Posts that Twilio would have sent an SMS for. */
  get accepted(): FormPost[] {
    return this.posts.filter((post) => post.accepted);
  }

  /** Accepts everything again, and forgets the posts so far. */
  reset(): void {
    this.posts.length = 0;
    this.behaviours = ['accept'];
    this.behaviourOf = refusalOfWhatsapp;
    this.deletions.length = 0;
    this.deletionStatus = 204;
  }

  /** Listens, after a stop on the same port again. */
  async open(): Promise<void> {
    if (this.server !== undefined) return;
    // Without a time-out of its own, so that a test sees the client's.
    const server = createServer({ keepAliveTimeout: 0 });
    server.on('connection', (socket) => {
      this.connections += 1;
      this.openConnections += 1;
      socket.once('close', () => (this.openConnections -= 1));
    });
    this.server = await startStandIn(
      ({ method, path, headers, body }, res) => {
        if (method === 'DELETE') return this.answerDeletion(path, res);
        const form = Object.fromEntries(new URLSearchParams(body));
        this.answer({ path, headers, form }, res);
      },
      { server, port: this.url === '' ? 0 : Number(new URL(this.url).port) },
    );
    this.url = this.server.url;
  }

  /** Closes the port: who calls is refused. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await server?.stop();
  }

  private answerDeletion(path: string, res: ServerResponse): void {
    const sid = /\/Messages\/(\w+)\.json$/.exec(path)?.[1] ?? '';
    this.deletions.push(sid);
    const post = this.posts.find((one) => one.sid === sid);
    const status = this.deletionStatus === 204 && post === undefined ? 404 : this.deletionStatus;
    if (status === 204 && post !== undefined) delete post.sid;
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(status === 204 ? undefined : JSON.stringify({ status, code: 20404, message: path }));
  }

  private takes({ authorization = '' }: IncomingHttpHeaders): boolean {
    const [, token] = Buffer.from(authorization.replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    return this.authTokens?.includes(token ?? '') ?? true;
  }

  private nextBehaviour(): Behaviour {
    const next = this.behaviours.length > 1 ? this.behaviours.shift() : this.behaviours[0];
    return next ?? 'accept';
  }

  private answer(sent: Pick<FormPost, 'path' | 'headers' | 'form'>, res: ServerResponse): void {
    const behaviour = this.takes(sent.headers)
      ? (this.behaviourOf(sent.form) ?? this.nextBehaviour())
      : UNAUTHORIZED;
    const messageId = sent.form.StatusCallback?.split('/').at(-1) ?? '';
    const accepted = typeof behaviour === 'string';
    const post: FormPost = { at: Date.now(), ...sent, messageId, accepted };
    this.posts.push(post);
    const answer = (status: number, body: object, headers = {}) =>
      res
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (typeof behaviour === 'object') {
      const { refuse: status, code, retryAfter } = behaviour;
      const hint = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      answer(status, { status, code, message: refusalOf(post), more_info: '' }, hint);
    } else if (behaviour === 'accept-then-reset') res.socket?.resetAndDestroy();
    else if (behaviour === 'accept-then-500') answer(500, { status: 500, code: 20500 });
    else if (behaviour === 'accept-then-nonsense') {
      res.writeHead(201, { 'content-type': 'application/json' }).end(`{"to":"${post.form.To}`);
    } else if (behaviour === 'accept') {
      post.sid = `SM${randomBytes(16).toString('hex')}`;
      // The stand-in also takes the place of another provider, which calls it `id`.
      answer(201, { ...post.form, sid: post.sid, id: post.sid, status: 'queued' });
    }
  }
}

/**
 * What Twilio refuses of a WhatsApp message before it accepts one (twilio.com/docs/api/errors): addresses of different
 * channels (21910), variables that are no JSON object of texts (21656), and a text in place of a template (63016).
 */
export function refusalOfWhatsapp(form: Record<string, string>): Behaviour | undefined {
  const { To = '', From, MessagingServiceSid, ContentSid, ContentVariables = '', Body } = form;
  if (!To.startsWith('whatsapp:')) return undefined;
  const isSameChannel = MessagingServiceSid !== undefined || From?.startsWith('whatsapp:') === true;
  if (!isSameChannel) return { refuse: 400, code: 21910 };
  if (ContentSid === undefined || Body !== undefined) return { refuse: 400, code: 63016 };
  const values: unknown[] = Object.values(JSON.parse(ContentVariables) as object);
  const areTexts = values.every(
    (value) => typeof value === 'string' && /^(?!.* {5})[^\n\t]+$/.test(value),
  );
  return areTexts ? undefined : { refuse: 400, code: 21656 };
}

/** As Twilio does, it quotes the phone; the rest must not get into a log either. */
function refusalOf({ headers, form }: FormPost): string {
  return `The 'To' number ${form.To} with '${form.Body}' of ${headers.authorization} was refused.`;
}
