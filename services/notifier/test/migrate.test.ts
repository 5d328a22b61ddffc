import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase } from '@fiado/chassis/testing/database';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { notifierSchema } from '../src/db/schema';

it('migrate runs with the URL of the owner and no other secret', async () => {
  const database = await createTestDatabase(notifierSchema);
  const env = {
    FIADO_MODE: 'sandbox',
    DATABASE_URL: database.ownerUrl,
    LOG_LEVEL: 'fatal',
  };
  const main = join(__dirname, '../src/main.ts');
  const child = spawn(process.execPath, [...RUN_SOURCES, main, 'migrate'], {
    env,
    stdio: 'inherit',
  });

  expect(await once(child, 'exit')).toEqual([0, null]);
  await database.drop();
});

it('autovacuum starts early on tables of short-lived and of many rows, and on those of BullMQ', async () => {
  const database = await createTestDatabase(notifierSchema);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class, unnest(reloptions) AS option
        WHERE option LIKE 'autovacuum_vacuum_scale_factor=%' ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'bullmq.event',
      'bullmq.job',
      'notifier.events',
      'notifier.idempotency_keys',
      'notifier.inbox',
      'notifier.messages',
      'notifier.outbox',
      'notifier.webhook_deliveries',
    ]);
  } finally {
    await owner.end();
    await database.drop();
  }
});
