import { Database } from '@fiado/chassis/db/database';
import { createTestDatabase } from '@fiado/chassis/testing/database';
import { entityTables } from '@fiado/chassis/testing/entity-tables';
import { transactionsSchema } from '../src/db/schema';

test('entities have the tables, columns, types and keys of the migrated schema', async () => {
  const database = await createTestDatabase(transactionsSchema);
  const db = Database.open(transactionsSchema, database.connection, () => {});
  const { inEntities, inSchema } = await entityTables(db);
  expect(inEntities).toEqual(inSchema);
  await db.close();
  await database.drop();
});
