import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports';
import { until } from './until';

/** A redis-server of a test's own that keeps nothing on disk: a kill loses all that it holds. */
export class RedisServer {
  #server: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string | undefined,
    private readonly options: string[],
  ) {}

  /**
   * Returns when it answers.
   * @param options of the command line, after those that every server has
   * @param port a free one, unless others must know it before
   * @throws Error when redis-server is not installed
   */
  static async start(options: string[] = [], port?: number): Promise<RedisServer> {
    const [free = 0] = port === undefined ? await freePorts(1) : [port];
    const folder = await mkdtemp(join(tmpdir(), 'fiado-redis-'));
    const place = ['--port', String(free), '--bind', '127.0.0.1', '--dir', folder];
    const all = [...place, '--save', '', '--appendonly', 'no', ...options];
    const server = new RedisServer(free, folder, all);
    await server.launch();
    return server;
  }

  /** @param file its configuration with that port, which it rewrites */
  static async startSentinel(file: string, port: number): Promise<RedisServer> {
    const sentinel = new RedisServer(port, undefined, [file, '--sentinel']);
    await sentinel.launch();
    return sentinel;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Starts it again on its port, without data. */
  async launch(): Promise<void> {
    const server = spawn('redis-server', this.options, { stdio: 'ignore' });
    let failure: Error | undefined;
    server.once('error', (error) => (failure = error));
    this.#server = server;
    await until(`Redis answers on port ${this.port}`, () => {
      if (failure !== undefined) throw failure;
      return answers(this.port);
    });
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async flush(): Promise<void> {
    await withRedis(this.url, (client) => client.flushall());
  }

  async stop(): Promise<void> {
    await this.kill();
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }
}

/** Runs commands on a connection of their own, which is not made again when it breaks. */
export async function withRedis<Answer>(
  url: string,
  work: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined); // the command fails with the error
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** Also true of a server that first wants a password. */
function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (isUp: boolean) => {
      socket.destroy();
      done(isUp);
    };
    socket.once('data', (answer: Buffer) => end(!answer.toString().startsWith('-LOADING')));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
