import { Client, escapeIdentifier } from 'pg';
import { query } from '../src/db/query';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { ops } from '../src/testing/callers';
import { withDatabase } from '../src/testing/database';
import { startTestService, type TestService } from '../src/testing/service';
import { until } from '../src/testing/until';

/** A service whose one route writes. */
const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'read_only_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [
    {
      method: 'post',
      path: '/v1/write',
      allow: ['ops'],
      handler:
        ({ db }) =>
        async (_req, res) => {
          await db.transaction(async (tx) => {
            await query(tx, 'SELECT 1');
            await query(tx, 'DELETE FROM inbox');
          });
          res.json({});
        },
    },
  ],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

const pgbouncerUrl = process.env.TEST_PGBOUNCER_URL;

let service: TestService<Foundation>;
let server: Client;
let database: string;
beforeAll(async () => {
  service = await startTestService(definition, ServiceConfig);
  database = escapeIdentifier(new URL(service.ownerUrl).pathname.slice(1));
  server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await service.stop();
});
afterEach(() => makeWritable());

const write = async () => (await service.call(ops(), 'POST', '/v1/write')).status;
const isReady = async () => (await service.call(undefined, 'GET', '/health/ready')).status === 200;

/** As a failover does it: connections break, and new ones reach a server that takes no writes. */
async function failOver(): Promise<void> {
  await server.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = $1 AND usename <> current_user`,
    [new URL(service.ownerUrl).pathname.slice(1)],
  );
}

/** Connections that are made from now on reach the new primary. Those that stand stay read-only. */
async function makeWritable(): Promise<void> {
  await server.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  if (pgbouncerUrl === undefined) return;
  // PgBouncer keeps its connections to the server; the runbook has this step after a failover.
  const console = new Client({ connectionString: withDatabase(pgbouncerUrl, 'pgbouncer') });
  await console.connect();
  await console.query('RECONNECT');
  await console.end();
}

test('a read-only database is unavailable, and connections to it are dropped', async () => {
  expect(await write()).toBe(200);
  await failOver();
  await until('the service is not ready', async () => {
    const { status, body } = await service.call(undefined, 'GET', '/health/ready');
    return status === 503 && body.checks.database === 'failed';
  });
  const { status, body, headers } = await service.call(ops(), 'POST', '/v1/write');
  expect([status, body.errorCode, headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '2',
  ]);

  await makeWritable();
  await until('the service is ready', isReady);
  expect(await Promise.all(Array.from({ length: 20 }, write))).toEqual(Array(20).fill(200));
});

// Behind PgBouncer a session is not one client's, so nothing can be set for it.
const onOwnSession = pgbouncerUrl === undefined ? test : test.skip;
onOwnSession('a connection on which a write was refused is dropped', async () => {
  // One session of the pool, as if its server had become read-only under it.
  await query(
    service.context.db,
    `SELECT set_config('default_transaction_read_only', 'on', false)`,
  );
  const first = await Promise.all(Array.from({ length: 20 }, write));
  // None if the ping of the database, once a second, was faster.
  expect(['', '503']).toContain(first.filter((status) => status !== 200).join());
  expect(await Promise.all(Array.from({ length: 20 }, write))).toEqual(Array(20).fill(200));
});
