import { notifierSchema } from '@fiado/notifier/db/schema';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { Client } from 'pg';
import { createMetricsRole, metricsPassword } from '../src/containers/write-settings';

let database: TestDatabase;
let exporter: Client;
beforeAll(async () => {
  database = await createTestDatabase(notifierSchema);
  await createMetricsRole(database.ownerUrl);
  await createMetricsRole(database.ownerUrl);

  const url = new URL(database.ownerUrl);
  url.username = 'fiado_metrics';
  url.password = metricsPassword(database.ownerUrl);
  exporter = new Client({ connectionString: url.toString() });
  await exporter.connect();
});
afterAll(async () => {
  await exporter.end();
  await database.drop();
});

it('the role of the exporter reads what the alerts look at', async () => {
  const { rows } = await exporter.query<{ wal: string; connections: string; hidden: string }>(
    `SELECT (SELECT sum(size) FROM pg_ls_waldir()) AS wal,
            (SELECT count(*) FROM pg_stat_activity) AS connections,
            (SELECT count(*) FROM pg_stat_activity WHERE query = '<insufficient privilege>') AS hidden`,
  );
  expect(Number(rows[0]?.wal)).toBeGreaterThan(0);
  expect(Number(rows[0]?.connections)).toBeGreaterThan(0);
  expect(rows[0]?.hidden).toBe('0');
});

it('and no table', async () => {
  await expect(exporter.query('SELECT FROM notifier.messages')).rejects.toThrow(
    'permission denied',
  );
  await expect(exporter.query('CREATE TABLE public.mine ()')).rejects.toThrow('permission denied');
});
