import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import type { JobDefinition, QueueName } from '../src/contracts/define-job';
import { SERVICES } from '../src/contracts/process-names';
import { Queues } from '../src/chassis/jobs/queues';
import { createLogger } from '../src/chassis/logger';
import { applyDeposit } from '../src/contracts/jobs/apply-deposit';
import { auditRecorded } from '../src/contracts/jobs/audit-recorded';
import { cornerStoreChanged } from '../src/contracts/jobs/corner-store-changed';
import { defaultsChanged } from '../src/contracts/jobs/defaults-changed';
import { issueInvoice } from '../src/contracts/jobs/issue-invoice';
import { paymentApplied } from '../src/contracts/jobs/payment-applied';
import { paymentReversed } from '../src/contracts/jobs/payment-reversed';
import { sendMessage } from '../src/contracts/jobs/send-message';
import { transactionDelivered } from '../src/contracts/jobs/transaction-delivered';
import { wholesalerChanged } from '../src/contracts/jobs/wholesaler-changed';
import { freePorts } from '../src/testing/free-ports';
import { testProcessKeys } from '../src/testing/process-keys';
import { until } from '../src/testing/until';

const DEFINITIONS: JobDefinition<object>[] = [
  applyDeposit,
  auditRecorded,
  cornerStoreChanged,
  defaultsChanged,
  issueInvoice,
  paymentApplied,
  paymentReversed,
  sendMessage,
  transactionDelivered,
  wholesalerChanged,
];
/** It shows ops the jobs of all queues, and retries them. */
const ADMIN: QueueName = 'notifier';
/** Of every user of a sandbox. */
const PASSWORD = 'fiado-local-only';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stdout.write('No redis-server: the users of Redis are not tested\n');

let folder: string;
let port: number;
let redis: ChildProcess;
const opened: Queues[] = [];

(hasRedis ? describe : describe.skip)('the users in docker/redis-users.acl', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fiado-redis-users-'));
    [port = 0] = await freePorts(1);
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const users = join(folder, 'users.acl');
    writeFileSync(users, usersOfSandbox());
    redis = spawn('redis-server', ['--aclfile', users, ...place], { stdio: 'ignore' });
    await until('Redis answers', async () =>
      asUser('accounts', (client) => client.ping()).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(opened.map((queues) => queues.close()));
    const gone = once(redis, 'exit');
    redis.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(SERVICES)('%s may write to the queues of its jobs, and to no other', async (user) => {
    const queues = await openQueues(user);
    for (const queue of SERVICES) {
      const added = queues.add(queue, [job()]).then(
        () => 'added',
        (error: Error) => error.message.split(' ')[0],
      );
      expect([queue, await added]).toEqual([queue, mayWrite(user, queue) ? 'added' : 'NOPERM']);
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

  test.each([['flushall'], ['keys', '*'], ['scan', '0'], ['config', 'get', '*'], ['acl', 'list']])(
    'no service may %s',
    async (command, ...args) => {
      for (const user of SERVICES) {
        const answer = asUser(user, (client) => client.call(command, ...args));
        await expect(answer).rejects.toThrow('NOPERM');
      }
    },
  );
});

function mayWrite(user: QueueName, queue: QueueName): boolean {
  const sends = DEFINITIONS.some(
    (one) => one.producers.includes(user) && one.queues.includes(queue),
  );
  return user === ADMIN || user === queue || sends;
}

/** As `settings` writes them, but with the password itself in place of its hash. */
function usersOfSandbox(): string {
  return readFileSync(resolve(__dirname, '../../../docker/redis-users.acl'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('{QUEUE_PREFIX}', 'fiado')
    .replaceAll(/#\{\w+\}/g, `>${PASSWORD}`);
}

async function openQueues(user: QueueName): Promise<Queues> {
  const queues = new Queues({
    redisUrl: urlOf(user),
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

async function asUser<Answer>(
  user: QueueName,
  work: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis(urlOf(user), { retryStrategy: () => null, lazyConnect: true });
  client.on('error', () => undefined); // not up yet
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}

function urlOf(user: QueueName): string {
  return `redis://${user}:${PASSWORD}@127.0.0.1:${port}`;
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
