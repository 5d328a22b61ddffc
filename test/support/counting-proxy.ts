import { TcpProxy } from './tcp-proxy';

/** What a role sent to Postgres. The keys are the role and the start of a statement's text. */
export interface Sent {
  statements: Map<string, number>;
  /** Times that a client waited for Postgres, by the statement that it waited for. */
  roundTrips: Map<string, number>;
  /** Bytes of the parameters that a statement is executed with, and not of its text. */
  parameterBytes: Map<string, number>;
}

/** Of a statement's text, what is kept: enough to tell two apart. */
const TEXT_CHARACTERS = 120;
/** Type and length of a message. */
const HEADER_BYTES = 5;

/**
 * A proxy before Postgres that counts statements and round trips in the messages of the clients
 * (PostgreSQL documentation, "Message Formats"). It understands neither TLS nor COPY.
 */
export class CountingProxy {
  readonly sent: Sent = {
    statements: new Map(),
    roundTrips: new Map(),
    parameterBytes: new Map(),
  };
  /** Of each role the texts of its prepared statements, by their names. */
  readonly prepared = new Map<string, Map<string, string>>();
  /** Milliseconds of the process' clock at which the last statement was sent. */
  lastAt = 0;
  private line: TcpProxy | undefined;

  private constructor() {}

  static async start(databaseUrl: string): Promise<CountingProxy> {
    const proxy = new CountingProxy();
    proxy.line = await TcpProxy.start(databaseUrl, () => {
      const messages = new ClientMessages(proxy);
      return (bytes) => messages.read(bytes);
    });
    return proxy;
  }

  urlOf(databaseUrl: string): string {
    return this.line?.urlOf(databaseUrl) ?? '';
  }

  count(kind: keyof Sent, key: string, more: number): void {
    this.sent[kind].set(key, (this.sent[kind].get(key) ?? 0) + more);
    this.lastAt = performance.now();
  }

  keep(role: string, name: string, text: string): void {
    const known = this.prepared.get(role) ?? new Map<string, string>();
    this.prepared.set(role, known.set(name, text));
  }

  async stop(): Promise<void> {
    await this.line?.stop();
  }
}

/** The messages of one connection. */
class ClientMessages {
  private rest = Buffer.alloc(0);
  private role: string | undefined;
  private readonly prepared = new Map<string, string>();
  private bound = '';

  constructor(private readonly proxy: CountingProxy) {}

  read(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    // The first message has no type.
    if (this.role === undefined) {
      if (this.rest.length < 4 || this.rest.length < this.rest.readInt32BE(0)) return;
      const startup = this.rest.subarray(8, this.rest.readInt32BE(0)).toString().split('\0');
      this.role = startup[startup.indexOf('user') + 1] ?? '';
      this.rest = this.rest.subarray(this.rest.readInt32BE(0));
    }
    while (this.rest.length >= HEADER_BYTES) {
      const end = 1 + this.rest.readInt32BE(1);
      if (this.rest.length < end) return;
      this.take(this.rest.toString('latin1', 0, 1), this.rest.subarray(HEADER_BYTES, end));
      this.rest = this.rest.subarray(end);
    }
  }

  private take(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString().split('\0', 2);
    switch (type) {
      case 'P': // Parse: the statement's name and its text
        this.prepared.set(first, textOf(second));
        if (first !== '') this.proxy.keep(this.role ?? '', first, second);
        break;
      case 'B': // Bind: the portal's name and the statement's
        this.bound = this.prepared.get(second) ?? '';
        this.count('parameterBytes', body.length);
        break;
      case 'E': // Execute
        this.count('statements');
        break;
      case 'S': // Sync: the client waits
        this.count('roundTrips');
        break;
      case 'Q': // a query without parameters
        this.bound = textOf(first);
        this.count('statements');
        this.count('roundTrips');
        break;
    }
  }

  private count(kind: keyof Sent, more = 1): void {
    this.proxy.count(kind, `${this.role}: ${this.bound}`, more);
  }
}

function textOf(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS);
}
