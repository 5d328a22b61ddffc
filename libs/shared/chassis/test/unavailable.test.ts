import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../src/db/query';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { ops } from '../src/testing/callers';
import { startTestService } from '../src/testing/service';
import { until } from '../src/testing/until';
import { forAllTests } from '../../../../test/support/for-all-tests';
import { TcpProxy } from '../../../../test/support/tcp-proxy';

/** A service whose one route does what the test asks of the database. */
let work: (db: Foundation['db']) => Promise<unknown>;
const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'unavailable_test', migrations: [] },
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

const service = forAllTests(() => startTestService(definition, ServiceConfig));

async function answer(): Promise<[number, string, string | null]> {
  const { status, body, headers } = await service.call(ops(), 'POST', '/v1/work');
  return [status, body.errorCode, headers.get('retry-after')];
}

const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE', '2'];

describe('a request is SERVICE_UNAVAILABLE with Retry-After when', () => {
  test.each([
    ['08006', 'the connection failed'],
    ['25006', 'the database is a standby'],
    ['25P03', 'the connection stood still'],
    ['40P01', 'it met a deadlock'],
    ['53000', 'resources are short'],
    ['53100', 'the disk is full'],
    ['53300', 'no connection is free'],
    ['54000', 'there are no transaction ids left'],
    ['55000', 'an object is not ready'],
    ['55P03', 'a row is busy'],
    ['57014', 'a statement took too long'],
    ['57P01', 'the database stops'],
    ['57P03', 'the database starts'],
    ['58030', 'a file cannot be read'],
    ['XX000', 'the server has a fault'],
    ['XX002', 'an index is damaged'],
  ])('%s: %s', async (code) => {
    work = (db) => query(db, `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`);
    expect(await answer()).toEqual(UNAVAILABLE);
  });

  test('the database closed its connection before a statement', async () => {
    work = (db) =>
      db.transaction(async (tx) => {
        await query(tx, 'SET LOCAL idle_in_transaction_session_timeout = 20');
        await sleep(500);
        await query(tx, 'SELECT 1');
      });
    expect(await answer()).toEqual(UNAVAILABLE);
  });

  test.each(['EAI_AGAIN', 'EHOSTUNREACH', 'ENOTFOUND', 'ECONNREFUSED'])(
    'the database is unreachable: %s',
    async (code) => {
      work = () => Promise.reject(Object.assign(new Error('connect'), { code }));
      expect(await answer()).toEqual(UNAVAILABLE);
    },
  );
});

test.each([
  ['54000', 503],
  ['58030', 503],
  ['57P01', 200],
  ['XX001', 200],
  ['55P03', 200],
  ['57014', 200],
])('the readiness of a process whose statement failed with %s is %i', async (code, status) => {
  const readiness = async () => (await fetch(`${service.url}/health/ready`)).status;
  await until('it is ready', async () => (await readiness()) === 200);
  work = (db) => query(db, `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`);
  await answer();

  expect(await readiness()).toBe(status);
  await until('it is ready again', async () => (await readiness()) === 200);
});

test('a fault of our own is not called unavailable', async () => {
  work = (db) => query(db, 'SELECT 1 / 0');
  expect(await answer()).toEqual([500, 'INTERNAL_ERROR', null]);
});

test.each(['DATABASE_URL', 'QUEUES_DATABASE_URL'] as const)(
  'a process that starts waits for the database of %s',
  async (name) => {
    let connections = 0;
    const line = await TcpProxy.start(service.ownerUrl, () => {
      connections += 1;
      return () => {};
    });
    line.setMode('reset');
    const { DATABASE_URL, QUEUES_DATABASE_URL = '' } = service.context.config;
    const urls = { DATABASE_URL, QUEUES_DATABASE_URL };
    const starting = service.startOther({
      ...urls,
      [name]: line.urlOf(urls[name]),
      REDIS_URL: undefined,
    });
    try {
      await until('it has tried twice', () => connections >= 2);
    } finally {
      line.setMode('pass');
    }

    work = async () => undefined;
    const other = await starting;
    expect((await other.call(ops(), 'POST', '/v1/work')).status).toBe(200);
    await other.stop();
    await line.stop();
  },
);
