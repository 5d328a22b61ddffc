import type { QueryRunner } from 'typeorm';
import { CreateDataKeys1798440000000 } from '../../src/db/create-data-keys';
import { Database } from '../../src/db/database';
import { query } from '../../src/db/query';
import { putDataKeys } from '../../src/keys/data-key-rows';
import { createWrappingKeys, openDataKeys, type OpenDataKeys } from '../../src/keys/open-data-keys';
import { createLogger, type Logger } from '../../src/logger';
import { createTestDatabase } from '../../src/testing/database';

export const SECRET = 'an-old-encryption-key-0123456789-abcdef';

/** A table with two sealed values a row. */
class CreatePeople1798440000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE people (id uuid PRIMARY KEY, name bytea, phone bytea)');
  }
}

const SCHEMA = {
  name: 'data_keys_test',
  migrations: [CreateDataKeys1798440000000, CreatePeople1798440000001],
};

/** A database with data keys, and with people. */
export interface KeyDatabase {
  db: Database;
  log: Logger;
  /** As a process does that starts. */
  open(current: string, previous?: string): Promise<OpenDataKeys>;
  addKey(number: number, secret?: string): Promise<void>;
  /** Values are sealed with it from now on. */
  sealWith(number: number): Promise<void>;
  /** Removes all keys, people and processes. */
  clear(): Promise<void>;
  drop(): Promise<void>;
}

export async function createKeyDatabase(): Promise<KeyDatabase> {
  const database = await createTestDatabase(SCHEMA);
  const db = Database.open(SCHEMA.name, database.connection, () => {});
  const log = createLogger('data keys test', process.env.LOG_LEVEL ?? 'silent');
  return {
    db,
    log,
    open: (current, previous) =>
      openDataKeys({ db, log, tables: [] }, { current, previous, bind: true }),
    addKey: async (number, secret = SECRET) => {
      const key = { kind: 'seal', number, secret: Buffer.alloc(32, number) } as const;
      const wrapped = createWrappingKeys({ current: secret }).wrap(key);
      await putDataKeys(db, [{ ...key, wrapped, isSealing: false }]);
    },
    sealWith: async (number) => {
      await query(db, 'UPDATE data_keys SET sealing_from = now() WHERE number = $1', [number]);
    },
    clear: async () => {
      await query(db, 'DELETE FROM data_keys');
      await query(db, 'DELETE FROM data_key_holders');
      await query(db, 'DELETE FROM sealed_tables');
      await query(db, 'DELETE FROM key_fingerprints');
      await query(db, 'DELETE FROM people');
    },
    drop: async () => {
      await db.close();
      await database.drop();
    },
  };
}
