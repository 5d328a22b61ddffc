import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports';
import { until } from './until';

const USERS = resolve(__dirname, '../../../../docker/redis-users.acl');
/** Of every user. */
const PASSWORD = 'fiado-local-only';

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
  const [port = 0] = await freePorts(1);
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const keep = ['--save', '', '--maxmemory-policy', 'noeviction'];
  const server = spawn('redis-server', ['--aclfile', users, ...place, ...keep], {
    stdio: 'ignore',
  });
  const redis: RedisWithUsers = {
    urlOf: (user) => `redis://${user}:${PASSWORD}@127.0.0.1:${port}`,
    asUser: async (user, work) => {
      const client = new Redis(redis.urlOf(user), { retryStrategy: () => null, lazyConnect: true });
      client.on('error', () => undefined); // not up yet
      try {
        await client.connect();
        return await work(client);
      } finally {
        client.disconnect();
      }
    },
    stop: async () => {
      await killed(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
  const answers = () =>
    redis
      .asUser('accounts', (client) => client.ping())
      .then(
        () => true,
        () => false,
      );
  await until('Redis answers', answers);
  return redis;
}

/** As `settings` writes them, but with the password itself in place of its hash. */
function usersWithPassword(): string {
  return readFileSync(USERS, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('{QUEUE_PREFIX}', 'fiado')
    .replaceAll(/#\{\w+\}/g, `>${PASSWORD}`);
}

async function killed(server: ChildProcess): Promise<void> {
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}
