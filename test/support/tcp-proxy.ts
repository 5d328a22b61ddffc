import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * pass: as if it were not there. stall: bytes of both directions wait until it ends. reset: a
 * request is answered by a reset and does not arrive. drop-answer: it arrives, and its answer is a
 * reset. silent: a connection that is opened meanwhile never passes a byte.
 */
export type ProxyMode = 'pass' | 'stall' | 'reset' | 'drop-answer' | 'silent';

interface Pair {
  client: Socket;
  upstream: Socket;
  /** Data that a stall holds back, in order of arrival. */
  held: Array<{ to: Socket; chunk: Buffer }>;
  /** Whether bytes of both directions are lost, and the ends never learn of it. */
  isSilent: boolean;
}

/** Called for each connection. @returns reads what its client sends */
type Listener = () => (bytes: Buffer) => void;

/** A network that can fail: a TCP proxy on the loopback, in front of one server. */
export class TcpProxy {
  readonly #pairs = new Set<Pair>();
  #server: Server | undefined;
  #port = 0;
  #mode: ProxyMode = 'pass';

  private constructor(
    private target: { host: string; port: number },
    private readonly listen: Listener | undefined,
  ) {}

  /** @param target a port of this machine, or the URL of a server such as a database */
  static async start(target: number | string, listen?: Listener): Promise<TcpProxy> {
    const proxy = new TcpProxy(placeOf(target), listen);
    await proxy.restore();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** That URL by way of this proxy. */
  urlOf(url: string): string {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${this.#port}`;
    return changed.toString();
  }

  /** Counts for connections that stand, too. */
  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === 'stall') return;
    for (const pair of this.#pairs) {
      for (const { to, chunk } of pair.held.splice(0)) this.#pass(pair, to, chunk);
    }
  }

  /**
   * The connections that stand lose all bytes from now on, without a word; new ones work. So does a
   * firewall or NAT table that forgets them, and the failover of many a managed store.
   */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  /** The connections that stand break for their clients, and the server never learns of it. */
  forgetClients(): void {
    this.silence();
    for (const { client } of this.#pairs) client.destroy();
  }

  /** New connections reach another server; those that stand break. */
  moveTo(target: number | string): void {
    this.target = placeOf(target);
    this.#breakAll();
  }

  /** Breaks all connections, and refuses new ones. */
  async stop(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    this.#breakAll();
    await closed;
  }

  /** Listens, after a stop on the same port again. */
  async restore(): Promise<void> {
    const server = createServer((client) => this.#join(client));
    await new Promise<void>((done) => server.listen(this.#port, '127.0.0.1', done));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  #breakAll(): void {
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.destroy();
    }
  }

  #join(client: Socket): void {
    const upstream = connect(this.target.port, this.target.host);
    const pair: Pair = { client, upstream, held: [], isSilent: this.#mode === 'silent' };
    const read = this.listen?.();
    this.#pairs.add(pair);
    client.on('data', (chunk: Buffer) => {
      read?.(chunk);
      this.#pass(pair, upstream, chunk);
    });
    upstream.on('data', (chunk: Buffer) => this.#pass(pair, client, chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // 'close' follows
      socket.on('close', () => {
        // The end of a silent connection is lost like its bytes.
        if (pair.isSilent && !other.destroyed) return;
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }

  #pass(pair: Pair, to: Socket, chunk: Buffer): void {
    const { client, upstream, held } = pair;
    const isRequest = to === upstream;
    if (pair.isSilent) return;
    if (this.#mode === 'stall') {
      held.push({ to, chunk });
      return;
    }
    if (this.#mode === (isRequest ? 'reset' : 'drop-answer')) {
      client.resetAndDestroy();
      upstream.destroy();
      return;
    }
    to.write(chunk);
  }
}

function placeOf(target: number | string): { host: string; port: number } {
  const { hostname: host, port } = new URL(
    typeof target === 'string' ? target : `http://127.0.0.1:${target}`,
  );
  return { host, port: Number(port) };
}
