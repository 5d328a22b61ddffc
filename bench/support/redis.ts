import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Child } from './child';
import type { Cleanup } from './cleanup';
import { freePorts } from '@fiado/shared/testing/free-ports';
import { until } from '@fiado/shared/testing/until';

const START_DEADLINE_MS = 10_000;
const PATH = '/usr/bin:/usr/local/bin:/opt/homebrew/bin';

/** A Redis of the run's own, with the log that production has. */
export async function startRedis(
  cleanup: Cleanup,
  folder: string,
): Promise<{ url: string; pid: number }> {
  const [port = 0] = await freePorts(1);
  const dir = await mkdtemp(join(folder, 'redis-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir];
  const server = new Child({
    name: 'redis',
    command: 'redis-server',
    args: [...args, '--save', '', '--appendonly', 'yes'],
    env: { PATH },
    folder,
  });
  cleanup.add(() => server.stop());
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url);
  client.on('error', () => undefined); // not up yet
  const answers = (): Promise<boolean> =>
    client.ping().then(
      () => true,
      () => false,
    );
  await until('Redis answers', answers, START_DEADLINE_MS);
  client.disconnect();
  return { url, pid: server.pid };
}
