import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * pass: as if it were not there. stall: bytes of both directions wait until it ends. reset: a
 * request is answered by a reset and does not arrive. drop-answer: it arrives, and its answer is a
 * reset.
 */
export type ProxyMode = 'pass' | 'stall' | 'reset' | 'drop-answer';

interface Pair {
  client: Socket;
  upstream: Socket;
  /** Data that a stall holds back, in order of arrival. */
  held: Array<{ to: Socket; chunk: Buffer }>;
}

/** A network that can fail: a TCP proxy on the loopback, in front of one service. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #mode: ProxyMode = 'pass';

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#join(client, targetPort));
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Counts for connections that stand, too. */
  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === 'stall') return;
    for (const pair of this.#pairs) {
      for (const { to, chunk } of pair.held.splice(0)) this.#pass(pair, to, chunk);
    }
  }

  async stop(): Promise<void> {
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.destroy();
    }
    await new Promise((done) => this.#server.close(done));
  }

  #join(client: Socket, targetPort: number): void {
    const upstream = connect(targetPort, '127.0.0.1');
    const pair: Pair = { client, upstream, held: [] };
    this.#pairs.add(pair);
    client.on('data', (chunk: Buffer) => this.#pass(pair, upstream, chunk));
    upstream.on('data', (chunk: Buffer) => this.#pass(pair, client, chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // 'close' follows
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }

  #pass(pair: Pair, to: Socket, chunk: Buffer): void {
    const { client, upstream, held } = pair;
    const isRequest = to === upstream;
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
