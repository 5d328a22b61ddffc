import { migrationsOf } from '@fiado/chassis/db/schema';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';

const schemas = [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema];
const migrations = new Set(schemas.flatMap(migrationsOf));

/** CREATE INDEX stops all writes to its table until it ends. */
it('a migration creates an index CONCURRENTLY, except on a table that it creates', () => {
  const blocking = [...migrations].flatMap((migration) => {
    const source = String(migration);
    const created = [...source.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
    return [...source.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+)\s+ON (\w+)/g)]
      .filter(([, , table]) => !created.includes(table))
      .map(([, index]) => `${migration.name}: ${index}`);
  });
  expect(blocking).toEqual([]);
});
