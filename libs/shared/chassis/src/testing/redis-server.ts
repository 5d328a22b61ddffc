import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { endProcess } from './end-process';
import { freePorts } from './free-ports';
import { until } from './until';

const USERS = resolve(__dirname, '../../../../../docker/redis-users.acl');

/** Of every user. */
const PASSWORD = 'fiado-local-only';

/**
 * Whether redis-server is installed. If not, prints what is skipped.
 * @param skipped what is skipped, as a sentence
 */
export function hasRedisServer(skipped: string): boolean {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  if (!isInstalled) process.stdout.write(`No redis-server: ${skipped}\n`);
  return isInstalled;
}

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
    if (server !== undefined) await endProcess(server);
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

/** A Redis with the users of docker/redis-users.acl and the prefix `fiado`. */
export interface RedisWithUsers {
  urlOf(user: string): string;
  /** Runs commands as a user, on a connection of its own. */
  asUser<Answer>(user: string, work: (client: Redis) => Promise<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startRedisWithUsers(): Promise<RedisWithUsers> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-redis-users-'));
  const users = join(folder, 'users.acl');
  await writeFile(users, usersWithPassword());
  const server = await RedisServer.start(['--aclfile', users, '--maxmemory-policy', 'noeviction']);
  const urlOf = (user: string) => `redis://${user}:${PASSWORD}@127.0.0.1:${server.port}`;
  return {
    urlOf,
    asUser: (user, work) => withRedis(urlOf(user), work),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As `settings` writes them, but with the password itself in place of its hash. */
function usersWithPassword(): string {
  return readFileSync(USERS, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('{QUEUE_PREFIX}', 'fiado')
    .replaceAll(/#\{\w+\}/g, `>${PASSWORD}`);
}
