import { isUUID } from '@fiado/contracts/class-validator';
import { Database } from '../src/db/database';
import type { Schema } from '../src/db/schema';
import { query } from '../src/db/query';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';

const schema: Schema = { name: 'uuidv7_test', migrations: [] };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase(schema);
  db = Database.open(schema, database.connection, () => {});
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// PostgreSQL 18 brings uuidv7(); migrate makes one on 15, 16 and 17.
it('a service draws ids of version 7 that begin with the time of the database', async () => {
  const [row] = await query<{ id: string; before: string; told: string; after: string }>(
    db,
    `WITH drawn AS MATERIALIZED (
       SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS before, uuidv7() AS id,
              floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS after
     )
     SELECT id, before, after,
            ('x0000' || substr(replace(id::text, '-', ''), 1, 12))::bit(64)::bigint::text AS told
       FROM drawn`,
  );
  expect(isUUID(row?.id, 7)).toBe(true);
  expect(Number(row?.told)).toBeGreaterThanOrEqual(Number(row?.before));
  expect(Number(row?.told)).toBeLessThanOrEqual(Number(row?.after));
});

it('many ids of one statement differ', async () => {
  const [row] = await query<{ ids: number }>(
    db,
    'SELECT count(DISTINCT uuidv7()) AS ids FROM generate_series(1, 10000)',
  );
  expect(row?.ids).toBe(10_000);
});
