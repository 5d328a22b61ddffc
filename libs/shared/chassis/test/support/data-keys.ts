import { CREATE_DATA_KEYS } from '../../src/db/baseline.sql';
import { Database } from '../../src/db/database';
import { query } from '../../src/db/query';
import { putDataKeys } from '../../src/keys/data-key-rows';
import { createWrappingKeys, openDataKeys, type OpenDataKeys } from '../../src/keys/open-data-keys';
import { createLogger, type Logger } from '../../src/logger';
import { createTestDatabase } from '../../src/testing/database';

export const SECRET = 'an-old-encryption-key-0123456789-abcdef';

/** With a table of two sealed values a row. */
const SCHEMA = {
  name: 'data_keys_test',
  baseline: `${CREATE_DATA_KEYS} CREATE TABLE people (id uuid PRIMARY KEY, name bytea, phone bytea)`,
  migrations: [],
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
  const db = Database.open(SCHEMA, database.connection, () => {});
  const log = createLogger('data keys test', process.env.LOG_LEVEL ?? 'silent');
  return {
    db,
    log,
    open: (current, previous) => openDataKeys({ db, log, tables: [] }, { current, previous }),
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
