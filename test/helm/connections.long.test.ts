import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PaymentsConfig } from '@fiado/payments/config';
import { roleOf, rolePassword, serviceDatabaseUrl } from '@fiado/chassis/db/roles';
import { SERVICES } from '@fiado/contracts/process-names';
import { Client, escapeLiteral } from 'pg';

import { startPgbouncer } from '@fiado/embedded-postgres/testing/pgbouncer';
import type { Server } from '@fiado/embedded-postgres/testing/server';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';

const PGBOUNCER = process.env.PGBOUNCER_BIN ?? '/usr/sbin/pgbouncer';

/** The server and the number of instances that docs/deployment.md promises to fit. */
const MAX_CONNECTIONS = 200;
const INSTANCES = 20;
/** A migration of a service: one connection of its own, and two of its tool. */
const OF_A_MIGRATION = 3;
/** Postgres' superuser_reserved_connections. */
const RESERVED = 3;

const page = readFileSync(resolve(__dirname, '../../docs/deployment.md'), 'utf8');
/** A setting of PgBouncer on that page. */
const documented = (name: string) => new RegExp(`^${name} = (\\d+)$`, 'm').exec(page)?.[1] ?? '';
const limits = {
  max_client_conn: documented('max_client_conn'),
  default_pool_size: documented('default_pool_size'),
  // None: this test counts, on a machine that may be busy.
  query_wait_timeout: '0',
};
const poolSize = new PaymentsConfig().POOL_SIZE;
const toPgbouncer = INSTANCES * SERVICES.length * poolSize;
/** `docker/release` runs one service twice at a time; the chart two instances more of each. */
const duringRelease = toPgbouncer + Math.max(INSTANCES, 2 * SERVICES.length) * poolSize;
const toPostgres = SERVICES.length * Number(limits.default_pool_size);

it('on paper, 20 instances of each service fit into 200 connections to Postgres, with a migration or a release', () => {
  expect([toPgbouncer, toPostgres]).toEqual([960, 160]);
  expect(duringRelease).toBeLessThanOrEqual(Number(limits.max_client_conn));
  expect(toPostgres + SERVICES.length * OF_A_MIGRATION + RESERVED).toBeLessThan(MAX_CONNECTIONS);
});

if (!existsSync(PGBOUNCER)) {
  process.stdout.write('No PgBouncer (PGBOUNCER_BIN): the count of connections is skipped\n');
}

(existsSync(PGBOUNCER) ? describe : describe.skip)('by count', () => {
  let postgres: Server;
  let pgbouncer: Server;
  let owner: Client;
  const clients: Client[] = [];

  beforeAll(async () => {
    postgres = await startTemporaryPostgres({ maxConnections: MAX_CONNECTIONS });
    const { url: databaseUrl } = postgres;
    owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    for (const name of SERVICES) {
      const password = escapeLiteral(rolePassword(databaseUrl, name));
      await owner.query(`CREATE ROLE ${roleOf(name)} LOGIN PASSWORD ${password}`);
    }
    pgbouncer = await startPgbouncer(PGBOUNCER, databaseUrl, limits);
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await pgbouncer.stop();
    await owner.end();
    await postgres.stop();
  });

  it('all pools of 20 instances of each service work at once on at most 160 connections to Postgres', async () => {
    for (const name of SERVICES) {
      const connectionString = serviceDatabaseUrl(pgbouncer.url, name);
      for (let instance = 0; instance < INSTANCES; instance++) {
        const pool = Array.from({ length: poolSize }, () => new Client({ connectionString }));
        await Promise.all(pool.map((client) => client.connect()));
        clients.push(...pool);
      }
    }
    expect(clients).toHaveLength(toPgbouncer);

    const work = clients.map(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_sleep(0.01)');
      const { command } = await client.query('COMMIT');
      return command;
    });
    expect(new Set(await Promise.all(work))).toEqual(new Set(['COMMIT']));

    // PgBouncer keeps what it has opened for ten minutes.
    const { rows } = await owner.query<{ count: number }>(
      "SELECT count(*)::integer FROM pg_stat_activity WHERE usename LIKE 'fiado\\_%'",
    );
    expect(rows[0]?.count).toBeGreaterThan(SERVICES.length);
    expect(rows[0]?.count).toBeLessThanOrEqual(toPostgres);
  });
});
