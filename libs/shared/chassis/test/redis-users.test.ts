import { randomUUID } from 'node:crypto';
import type { QueueName } from '@fiado/contracts/define';
import { SERVICES } from '@fiado/contracts/process-names';
import { Queues } from '../src/jobs/queues';
import { createLogger } from '../src/logger';
import { jobDefinitions } from '@fiado/contracts/testing/job-definitions';
import { testProcessKeys } from '../src/testing/process-keys';
import {
  hasRedisServer,
  startRedisWithUsers,
  type RedisWithUsers,
} from '../src/testing/redis-server';
import { until } from '../src/testing/until';

/** It shows ops the jobs of all queues, and retries them. */
const ADMIN: QueueName = 'notifier';

const hasRedis = hasRedisServer('the users of Redis are not tested');

let redis: RedisWithUsers;
const opened: Queues[] = [];

(hasRedis ? describe : describe.skip)('the users in docker/redis-users.acl', () => {
  beforeAll(async () => {
    redis = await startRedisWithUsers();
  });
  afterAll(async () => {
    await Promise.all(opened.map((queues) => queues.close()));
    await redis.stop();
  });

  test.each(SERVICES)('%s may write to the queues of its jobs, and to no other', async (user) => {
    const queues = await openQueues(user);
    for (const queue of SERVICES) {
      const added = queues.add(queue, [job()]).then(
        () => 'added',
        (error: Error) => error.message.split(' ')[0],
      );
      const outcome = (await mayWrite(user, queue)) ? 'added' : 'NOPERM';
      expect([queue, await added]).toEqual([queue, outcome]);
    }
  });

  test.each(SERVICES)('%s may work on its own queue', async (user) => {
    const queues = await openQueues(user);
    const done: string[] = [];
    const worker = queues.worker(user, async ({ id = '' }) => void done.push(id));
    void worker.run();
    const one = job();
    await queues.add(user, [one]);
    await until('the job is done', () => done.includes(one.id));
    await until('the queue knows it', async () => {
      return (await queues.completedAmong(user, [one.id])).includes(one.id);
    });
    expect((await queues.queue(user).getJobCounts('failed')).failed).toBe(0);
    await worker.close();
  });

  test.each([
    ['set', '{fiado-other}:wait', '1'],
    ['flushall'],
    ['keys', '*'],
    ['scan', '0'],
    ['config', 'get', '*'],
    ['slowlog', 'get'],
    ['acl', 'list'],
  ])('no service may %s', async (command, ...args) => {
    for (const user of SERVICES) {
      const answer = redis.asUser(user, (client) => client.call(command, ...args));
      await expect(answer).rejects.toThrow('NOPERM');
    }
  });

  test('the metrics exporter may read the statistics that it exports, and nothing else', async () => {
    const run = (command: string, ...args: string[]) =>
      redis.asUser('metrics', (client) => client.call(command, ...args));
    // Those of oliver006/redis_exporter; it exports nothing of the ones that are denied.
    await run('INFO', 'ALL');
    await run('CLIENT', 'SETNAME', 'redis_exporter');
    await run('LATENCY', 'LATEST');
    await run('LATENCY', 'HISTOGRAM');
    await run('SLOWLOG', 'LEN');
    await run('SLOWLOG', 'GET', '1');
    for (const denied of ['SLOWLOG RESET', 'GET key', 'CONFIG GET *']) {
      const [command = '', ...args] = denied.split(' ');
      await expect(run(command, ...args)).rejects.toThrow('NOPERM');
    }
  });
});

async function mayWrite(user: QueueName, queue: QueueName): Promise<boolean> {
  const sends = (await jobDefinitions()).some(
    ({ producers, queues }) => producers.includes(user) && queues.includes(queue),
  );
  return user === ADMIN || user === queue || sends;
}

async function openQueues(user: QueueName): Promise<Queues> {
  const queues = new Queues({
    redisUrl: redis.urlOf(user),
    queuesDatabaseUrl: '',
    prefix: 'fiado',
    keys: testProcessKeys(user),
    log: createLogger('redis users', 'silent'),
  });
  opened.push(queues);
  const isConnected = () =>
    queues.ping().then(
      () => true,
      () => false,
    );
  await until('Redis answers', isConnected);
  return queues;
}

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
