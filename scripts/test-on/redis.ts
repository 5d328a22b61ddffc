import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDRESS, choosePort } from '@fiado/embedded-postgres/connection';
import { Redis } from 'ioredis';
import { launchServer, stopServer, type Server } from '@fiado/embedded-postgres/testing/server';

const ANSWER_TIMEOUT_MS = 10_000;

/** A service in production refuses a Redis without a password, and a weak one. */
export function redisPassword(): string {
  return randomBytes(24).toString('hex');
}

/** Starts a Redis that keeps nothing on disk. @throws Error when it does not answer */
export async function startRedis(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-redis-'));
  const port = await choosePort();
  const password = redisPassword();
  const address = ['--port', String(port), '--bind', ADDRESS];
  const command = ['redis-server', ...address, '--save', '', '--requirepass', password];
  const server = await launchServer('Redis', command, {
    logFile: join(folder, 'redis.log'),
    cwd: folder,
    user: undefined,
  });
  const stop = async () => {
    await stopServer(server, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  const url = `redis://:${password}@${ADDRESS}:${port}`;
  const client = new Redis(url, { commandTimeout: ANSWER_TIMEOUT_MS });
  client.on('error', () => undefined); // not up yet
  try {
    await client.ping();
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.disconnect();
  }
  return { url, stop };
}
