import { TcpProxy } from '../../../../test/support/tcp-proxy';
import { LimitedClient } from '../src/db/limited-client';
import { allowLongStatements, query } from '../src/db/query';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { ops } from '../src/testing/callers';
import { hasRedisServer, RedisServer } from '../src/testing/redis-server';
import { startTestService, type TestService } from '../src/testing/service';
import { until } from '../src/testing/until';
import { type OutboxService, startOutboxService } from './support/outbox-service';

/** A service whose one route does what the test asks of the database. */
let work: (db: Foundation['db']) => Promise<unknown>;
const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'silent_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [
    {
      method: 'post',
      path: '/v1/work',
      allow: ['ops'],
      handler:
        ({ db }) =>
        async (_req, res) => {
          await work(db);
          res.json({});
        },
    },
  ],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

describe('where connections to Postgres die without a word', () => {
  let line: TcpProxy;
  let service: TestService<Foundation>;
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);

  beforeAll(async () => {
    process.on('warning', note);
    const server = process.env.TEST_PGBOUNCER_URL ?? process.env.TEST_DATABASE_URL ?? '';
    line = await TcpProxy.start(server);
    // Behind PgBouncer the queues are reached without it.
    const through = (url: string) =>
      new URL(url).host === new URL(server).host ? line.urlOf(url) : url;
    service = await startTestService(definition, ServiceConfig, { through });
  });
  afterAll(async () => {
    await service.stop();
    await line.stop();
    process.off('warning', note);
    // A connection that is checked waits for no other answer: pg 9 refuses a second statement.
    expect(warnings.filter((text) => text.includes('already executing'))).toEqual([]);
  });

  const call = async () => (await service.call(ops(), 'POST', '/v1/work')).status;
  const calls = (count: number) => Promise.all(Array.from({ length: count }, call));

  test('a statement is a 503 when its limit is over, and those after it are answered', async () => {
    work = (db) => query(db, 'SELECT pg_sleep(0.1)');
    expect(await calls(6)).toEqual(Array(6).fill(200));

    line.silence();
    // It may be the first that notices, or wait while the connections are checked.
    await call();
    expect(await calls(6)).toEqual(Array(6).fill(200));
  });

  test('a COMMIT without an answer is a 503, and its connection is not used again', async () => {
    work = (db) =>
      db.transaction(async (tx) => {
        await query(tx, 'SELECT 1');
        line.silence();
      });
    expect(await call()).toBe(503);

    work = (db) => query(db, 'SELECT 1');
    expect(await calls(6)).toEqual(Array(6).fill(200));
  });

  test('a statement that may be long has a longer limit, in its database transaction only', async () => {
    let pid = 0;
    work = (db) =>
      db.transaction(async (tx) => {
        await allowLongStatements(tx);
        const [row] = await query<{ pid: number }>(
          tx,
          'SELECT pg_backend_pid() AS pid, pg_sleep(6)',
        );
        pid = row?.pid ?? 0;
      });
    expect(await call()).toBe(200);
    expect(pid).toBeGreaterThan(0);

    work = async (db) => {
      line.silence();
      await query(db, 'SELECT 1');
    };
    expect(await call()).toBe(503);
  });
});

test('an answer that came while the process stood still is not too late', async () => {
  const client = new LimitedClient({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  client.answerWithinMs = 100;
  const answer = client.query('SELECT 1');
  // As under SIGSTOP, or on a machine without CPU time for it: timers of this process are due before its sockets.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);

  await expect(answer).resolves.toMatchObject({ rowCount: 1 });
  await client.end();
});

test('a worker with queues in Postgres gets jobs again after its connections died', async () => {
  let line: TcpProxy | undefined;
  const service = await startOutboxService(undefined, async (databaseUrl) => {
    line = await TcpProxy.start(databaseUrl);
    return line.urlOf(databaseUrl);
  });
  await expectJobs(service, 'buenos días');

  line?.silence();
  // As its loop does each second.
  await expect(service.database.look()).rejects.toThrow('Postgres did not answer');
  await service.database.look();
  await expectJobs(service, 'buenas tardes');
  await service.stop();
  await line?.stop();
});

const withRedis = hasRedisServer('connections to Redis do not die in a test') ? test : test.skip;
withRedis('a worker with queues in Redis gets jobs again after its connections died', async () => {
  const redis = await RedisServer.start();
  const line = await TcpProxy.start(redis.url);
  const service = await startOutboxService(line.urlOf(redis.url));
  await expectJobs(service, 'buenos días');

  line.silence();
  await expectJobs(service, 'buenas tardes');
  await service.stop();
  await line.stop();
  await redis.stop();
});

/** Sends a job through the queue, as the relay's loop does, until its worker has it. */
async function expectJobs(service: OutboxService, text: string): Promise<void> {
  if (service.effects.length === 0) service.startWorker();
  await service.append(text);
  await until('the worker has the job', async () => {
    await service.relay();
    return service.effects.includes(text);
  });
}
