import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { PaymentsConfig } from '@fiado/payments/config';
import { Database } from '@fiado/shared/chassis/db/database';
import { roleOf, rolePassword } from '@fiado/shared/chassis/db/roles';
import { SERVICES } from '@fiado/shared/contracts/process-names';
import { Client, escapeLiteral, type PoolClient } from 'pg';

import { startPgbouncer } from '../../scripts/test-on/pgbouncer';
import type { Server } from '../../scripts/test-on/server';

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
  query_wait_timeout: documented('query_wait_timeout'),
};
const poolSize = new PaymentsConfig().POOL_SIZE;
const toPgbouncer = INSTANCES * SERVICES.length * poolSize;
const toPostgres = SERVICES.length * Number(limits.default_pool_size);

it('on paper, 20 instances of each service and a migration fit into 200 connections to Postgres', () => {
  expect([toPgbouncer, toPostgres]).toEqual([960, 160]);
  expect(toPgbouncer).toBeLessThanOrEqual(Number(limits.max_client_conn));
  expect(toPostgres + SERVICES.length * OF_A_MIGRATION + RESERVED).toBeLessThan(MAX_CONNECTIONS);
});

if (!existsSync(PGBOUNCER)) {
  process.stdout.write('No PgBouncer (PGBOUNCER_BIN): the count of connections is skipped\n');
}

describe.skipIf(!existsSync(PGBOUNCER))('by count', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let pgbouncer: Server;
  let owner: Client;
  let databases: Database[];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fiado-connections-'));
    // The server's user must be able to enter it; otherwise the cluster would be kept elsewhere.
    await chmod(dataDir, 0o711);
    postgres = new EmbeddedPostgres({ dataDir, durable: false, maxConnections: MAX_CONNECTIONS });
    const { databaseUrl } = await postgres.start();
    owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    for (const name of SERVICES) {
      const password = escapeLiteral(rolePassword(databaseUrl, name));
      await owner.query(`CREATE ROLE ${roleOf(name)} LOGIN PASSWORD ${password}`);
    }
    pgbouncer = await startPgbouncer(PGBOUNCER, databaseUrl, limits);
    const connection = { url: pgbouncer.url, poolSize, preparedStatements: false };
    databases = SERVICES.flatMap((name) =>
      Array.from({ length: INSTANCES }, () => Database.open(name, connection, () => undefined)),
    );
  });

  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await pgbouncer.stop();
    await owner.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });

  it('all pools of 20 instances of each service work at once on at most 160 connections to Postgres', async () => {
    const open: PoolClient[] = [];
    // One instance after another: each connection has two seconds to be opened.
    for (const { connection } of databases) {
      const ofOne = Array.from({ length: poolSize }, () => connection.connect());
      open.push(...(await Promise.all(ofOne)));
    }
    expect(open).toHaveLength(toPgbouncer);

    const work = open.map(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_sleep(0.01)');
      const { command } = await client.query('COMMIT');
      client.release();
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
