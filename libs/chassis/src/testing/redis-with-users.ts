import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Redis } from 'ioredis';
import { RedisServer, withRedis } from './redis-server';

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
