import { Client } from 'pg';
import { CREATE_REFUSALS } from '../src/db/baseline.sql';
import { Database } from '../src/db/database';
import type { Schema } from '../src/db/schema';
import { query } from '../src/db/query';
import { createLogger } from '../src/logger';
import { createRetention, DELETE_BATCH_SIZE, REFUSAL_TABLES } from '../src/db/retention';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';
import { until } from '../src/testing/until';

const schema: Schema = { name: 'retention_test', baseline: CREATE_REFUSALS, migrations: [] };
const log = createLogger('retention test', process.env.LOG_LEVEL ?? 'silent');

/** Rows of a backlog: more than one statement could delete in its time. */
const BACKLOG = 4 * DELETE_BATCH_SIZE + 1;
const TABLES = ['outbox', 'inbox', 'idempotency_keys', 'refusals', 'refusal_counts'];

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase(schema);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`
    CREATE FUNCTION public.refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM deleted) > ${DELETE_BATCH_SIZE} THEN
        RAISE 'one statement deletes too many rows';
      END IF;
      RETURN NULL;
    END $$`);
  for (const table of TABLES) {
    await owner.query(`
      CREATE TRIGGER refuse_many AFTER DELETE ON ${schema.name}.${table}
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_many()`);
  }
  await owner.end();
  db = Database.open(schema, database.connection, () => {});
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a backlog is deleted in batches, and needed rows stay', async () => {
  await plant(BACKLOG, '31 days');
  await plant(3, '0 hours');
  await query(
    db,
    `INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, created_at,
                         enqueued_at, dead_at)
     SELECT gen_random_uuid(), 'accounts', 't', 1, gen_random_uuid(), 1, t, t, t
       FROM (SELECT now() - interval '31 days' AS t) AS long_ago`,
  );
  const retention = createRetention(db, log, REFUSAL_TABLES);
  retention.start();
  await until('all old rows are gone', async () => (await counts()).join() === '4,3,3,3,3');
  await retention.stop();
});

/** Rows of each table that came to their end so long ago. */
async function plant(rows: number, age: string): Promise<void> {
  await query(
    db,
    `WITH planted AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, now() - $2::interval AS t FROM generate_series(1, $1)
     ), outbox_rows AS (
       INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, created_at,
                           enqueued_at, done_at)
       SELECT id, 'accounts', 't', 1, id, 1, t, t, t FROM planted
     ), inbox_rows AS (
       INSERT INTO inbox (message_id, received_at) SELECT id, t FROM planted
     ), refusal_rows AS (
       INSERT INTO refusals
         (id, refused_at, wholesaler_id, operation, error_code, request_id, ids)
       SELECT id, t, id, 'createTransaction', 'USER_NOT_VERIFIED', 'r', '{}' FROM planted
     ), counted AS (
       INSERT INTO refusal_counts (wholesaler_id, day, refused)
       SELECT id, (t - interval '1 day')::date, 1 FROM planted
     )
     INSERT INTO idempotency_keys (id, request_hash, status, body, created_at)
     SELECT decode(md5(id::text), 'hex'), '', 200, '', t FROM planted`,
    [rows, age],
  );
}

async function counts(): Promise<number[]> {
  const [row] = await query<{ counts: string[] }>(
    db,
    `SELECT ARRAY[(SELECT count(*) FROM outbox), (SELECT count(*) FROM inbox),
                  (SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM refusals),
                  (SELECT count(*) FROM refusal_counts)]::text[] AS counts`,
  );
  return (row?.counts ?? []).map(Number);
}
