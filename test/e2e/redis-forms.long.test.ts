import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pingRedis } from '@fiado/chassis/jobs/open-redis';
import { Queues } from '@fiado/chassis/jobs/queues';
import { createLogger } from '@fiado/chassis/logger';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { testProcessKeys } from '@fiado/chassis/testing/process-keys';
import { hasRedisServer } from '@fiado/chassis/testing/redis-server';
import { startCluster, startSentinels, type RedisReplicas } from '../support/redis-replicas';
import { until } from '@fiado/chassis/testing/until';

const hasRedis = hasRedisServer('Sentinels and Cluster are not tested');
const START_MS = 120_000;

(hasRedis ? describe : describe.skip).each([
  ['Sentinels', startSentinels],
  ['a Cluster', startCluster],
])('with REDIS_URL of %s', (_form, start) => {
  let replicas: RedisReplicas;
  let queues: Queues;
  beforeAll(async () => {
    replicas = await start();
    queues = new Queues({
      redisUrl: replicas.url,
      queuesDatabaseUrl: '',
      prefix: 'fiado',
      keys: testProcessKeys('notifier'),
      log: createLogger('redis forms', 'silent'),
    });
    await until('Redis answers', isReachable);
  }, START_MS);
  afterAll(async () => {
    await queues.close();
    await replicas.stop();
  });

  it('the supervisor reaches it, and not with a wrong password', async () => {
    await expect(pingRedis(replicas.url)).resolves.toBeUndefined();
    const wrong = replicas.url.replace(/:\/\/:[^@]*@/, '://:wrong@');
    await expect(pingRedis(wrong)).rejects.toThrow();
  });

  it.each(SERVICES)('%s has a queue in it', async (service) => {
    const done: string[] = [];
    const worker = queues.worker(service, async ({ id = '' }) => void done.push(id));
    void worker.run();
    const one = job();

    await until('a job can be added', () => tryToAdd(service, one));
    await until('the job is done', () => done.includes(one.id));
    await until('the queue knows it', async () => {
      return (await queues.completedAmong(service, [one.id])).includes(one.id);
    });
    await queues.closeWorker(worker);
  });

  it(
    'its worker and its producer go on with a new master',
    async () => {
      const done: string[] = [];
      const worker = queues.worker('notifier', async ({ id = '' }) => void done.push(id));
      void worker.run();
      const before = job();
      await queues.add('notifier', [before]);
      await until('the worker works', () => done.includes(before.id));

      await replicas.failOver('{fiado-notifier}:notifier:wait');

      const after = job();
      await until('a job can be added', () => tryToAdd('notifier', after));
      await until('it is done', () => done.includes(after.id));
      await until('Redis answers', isReachable);
      await queues.closeWorker(worker);
    },
    START_MS,
  );

  async function isReachable(): Promise<boolean> {
    return queues.ping().then(
      () => true,
      () => false,
    );
  }

  async function tryToAdd(queue: Service, wanted: ReturnType<typeof job>): Promise<boolean> {
    return queues.add(queue, [wanted]).then(
      () => true,
      () => false,
    );
  }
});

(hasRedis ? it : it.skip)('a Cluster without slots is refused, and not waited for', async () => {
  // A node that is given one port listens on that plus 10,000 too, where a connection may be in its way.
  const [port = 0, bus = 0] = await freePorts(2);
  const folder = mkdtempSync(join(tmpdir(), 'fiado-redis-cluster-'));
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(bus)];
  const node = spawn('redis-server', [...place, ...cluster], { stdio: 'ignore' });
  await until('the node answers', () => {
    const asked = spawnSync('redis-cli', ['-p', String(port), 'ping']);
    return asked.stdout.toString().includes('PONG');
  });

  await expect(pingRedis(`redis+cluster://127.0.0.1:${port}`)).rejects.toThrow();

  const gone = once(node, 'exit');
  node.kill('SIGKILL');
  await gone;
  rmSync(folder, { recursive: true });
});

function job() {
  const id = randomUUID();
  const occurredAt = new Date().toISOString();
  return {
    id,
    type: 'test',
    version: 1,
    occurredAt,
    aggregateId: id,
    aggregateVersion: 1,
    data: {},
  };
}
