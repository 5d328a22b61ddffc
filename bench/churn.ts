import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { until } from '@fiado/chassis/testing/until';
import { Child } from './support/child';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { drawSecrets } from './support/system';

/** Jobs of each database; an argument is another number. */
const JOBS = Number(process.argv[2] ?? 40_000);
const JOBS_PER_SECOND = Number(process.argv[3] ?? 70);
/** Jobs that ended in the last day: as many as the outbox keeps. The oldest end their day in the run. */
const DAY = 200_000;
/** Each service of a database. */
const NAMES = ['transactions', 'notifier'] as const;
const ROOT = resolve(__dirname, '../..');
const TABLES = ['transactions.outbox', 'notifier.messages', 'bullmq.job', 'bullmq.event'];
const SETTLE_MS = 60_000;
const MINUTE_MS = 60_000;

/**
 * Compares the storage parameters of the migrations with Postgres' defaults: two databases get the
 * same SMS jobs side by side, a day of finished jobs in the outbox before, and the transactions and
 * notifier services work on them, with the queues in Postgres. Prints each minute the dead rows and
 * the size of each table, and the pages that one claim of the relay reads. The envelopes of the SMS
 * do not open, so that none is sent.
 */
async function main(): Promise<void> {
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-churn-');
    const db = await BenchDatabase.start(join(folder, 'postgres'), true);
    cleanup.add(() => db.stop());
    const databases = ['defaults', 'tuned'];
    for (const database of databases) await prepare(db, database, { folder, cleanup });
    for (let first = 0; first < JOBS; first += JOBS_PER_SECOND) {
      const startedAt = performance.now();
      for (const database of databases) await db.query(database, NEW_JOBS, [JOBS_PER_SECOND]);
      if (Math.floor(first / JOBS_PER_SECOND) % 60 === 59) await show(db, databases);
      await pause(Math.max(0, 1_000 - (performance.now() - startedAt)));
    }
    await pause(SETTLE_MS + MINUTE_MS);
    await show(db, databases);
  });
}

async function prepare(
  db: BenchDatabase,
  database: string,
  { folder, cleanup }: { folder: string; cleanup: Cleanup },
): Promise<void> {
  await db.create(database);
  const ports = await freePorts(NAMES.length);
  const secrets = drawSecrets();
  const spawn = (name: (typeof NAMES)[number], at: number, ...args: string[]) =>
    new Child({
      name: `${database}-${name}${args.join('')}`,
      command: process.execPath,
      args: [`${ROOT}/services/${name}/dist/main.js`, ...args],
      env: {
        ...secrets,
        ...testKeyVariables(name),
        DATABASE_URL: db.urlOf(database),
        DATA_DIR: folder,
        [`${name.toUpperCase()}_PORT`]: String(ports[at]),
      },
      folder,
    });
  for (const [at, name] of NAMES.entries()) await spawn(name, at, 'migrate').finish();
  if (database === 'defaults') await resetStorage(db, database);
  await db.query(database, FINISHED_JOBS, [DAY]);
  await db.query(database, 'VACUUM (ANALYZE)');
  for (const [at, name] of NAMES.entries()) {
    const child = spawn(name, at);
    cleanup.add(() => child.stop());
    const isReady = () =>
      fetch(`http://127.0.0.1:${ports[at]}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(`${name} is ready`, isReady);
  }
}

async function resetStorage(db: BenchDatabase, database: string): Promise<void> {
  const tuned = await db.query<{ name: string; parameters: string }>(
    database,
    `SELECT c.oid::regclass::text AS name, string_agg(split_part(option, '=', 1), ', ') AS parameters
       FROM pg_class c, unnest(reloptions) AS option
      WHERE option LIKE 'autovacuum%' GROUP BY 1`,
  );
  for (const { name, parameters } of tuned) {
    await db.query(database, `ALTER TABLE ${name} RESET (${parameters})`);
  }
}

/** They ended between a day ago and now; those that are a day old in the run are deleted in it. */
const FINISHED_JOBS = `
  INSERT INTO transactions.outbox (id, queue, type, version, aggregate_id, aggregate_version,
                                   created_at, enqueued_at, enqueue_count, done_at)
  SELECT uuidv7(ended - now()), 'notifier', 'send-message', 1, gen_random_uuid(), 1, ended, ended, 1,
         ended
    FROM generate_series(1, $1::integer) AS n
    CROSS JOIN LATERAL (
      SELECT now() - interval '1 day' + interval '1 hour' * least(n / 120000.0, 1)
             + interval '22 hours' * greatest((n - 120000) / 80000.0, 0) AS ended)`;

const NEW_JOBS = `
  INSERT INTO transactions.outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
  SELECT uuidv7(), 'notifier', 'send-message', 1, subject, 1,
         jsonb_build_object(
           'template', 'delivery-word', 'subjectId', subject, 'phoneMasked', '***0000',
           'wholesalerId', gen_random_uuid(), 'expiresAt', now() + interval '1 day',
           'phoneIndex', encode(sha256(uuid_send(subject)), 'base64'),
           'sealed', 'AA==')
    FROM (SELECT gen_random_uuid() AS subject FROM generate_series(1, $1::integer)) AS one`;

async function show(db: BenchDatabase, databases: string[]): Promise<void> {
  for (const database of databases) {
    const tables = await db.query<{
      name: string;
      live: number;
      dead: number;
      mb: number;
      runs: number;
    }>(
      database,
      `SELECT schemaname || '.' || relname AS name, n_live_tup::int AS live, n_dead_tup::int AS dead,
              round(pg_total_relation_size(relid) / 1e6, 1)::float8 AS mb, autovacuum_count::int AS runs
         FROM pg_stat_user_tables WHERE schemaname || '.' || relname = ANY ($1) ORDER BY 1`,
      [TABLES],
    );
    const [claim] = await db.query<{ pages: number }>(
      'postgres',
      `SELECT (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float8 AS pages
         FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
        WHERE datname = $1 AND query LIKE '%waiting.id FROM unnest%'`,
      [database],
    );
    const shown = tables.map(
      ({ name, live, dead, mb, runs }) =>
        `${name} ${live} live ${dead} dead ${mb} MB ${runs} vacuums`,
    );
    say(`${database}: ${shown.join('; ')}; a claim ${claim?.pages.toFixed(0)} pages`);
  }
  await db.query('postgres', 'SELECT pg_stat_statements_reset()');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
