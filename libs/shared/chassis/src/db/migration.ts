import type { QueryRunner } from 'typeorm';

/**
 * A change of a schema, for the list of its migrations. It runs in a database transaction of its own.
 * @param name what it does and when it was written, in milliseconds, such as `KeepNotes1795500000000`.
 *   It is recorded in the schema and never changes.
 */
export function migration(name: string, sql: string): Function {
  return named(
    name,
    class {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(sql);
      }
    },
  );
}

/**
 * Creates indexes, and drops those that they replace, without stopping writes to their tables. It
 * has no database transaction, so what it did before an error stays done, and it may run again after
 * an interrupted build. A build waits for every open transaction that sees an older state, and blocks
 * no reader and no writer while it waits, so it has no time-out.
 * @param name as of `migration`
 * @param indexes by name, without a schema: the rest of the statement, such as `ON outbox (dead_at)`
 * @param replaced names of indexes that exist no longer
 */
export function indexMigration(
  name: string,
  indexes: Record<string, string>,
  replaced: string[] = [],
  kind: IndexKind = 'INDEX',
): Function {
  return named(
    name,
    class {
      transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('SET lock_timeout = 0');
        for (const [index, definition] of Object.entries(indexes)) {
          await createIndex(runner, index, definition, kind);
        }
        for (const index of replaced) {
          await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
        }
        // After an error the connection is closed, so this is only needed on success.
        await runner.query('RESET lock_timeout');
      }
    },
  );
}

/** The same of unique indexes. */
export function uniqueIndexMigration(name: string, indexes: Record<string, string>): Function {
  return indexMigration(name, indexes, [], 'UNIQUE INDEX');
}

type IndexKind = 'INDEX' | 'UNIQUE INDEX';

/** An interrupted build leaves an invalid index behind. */
export async function createIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  kind: IndexKind = 'INDEX',
): Promise<void> {
  const [index] = (await runner.query(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { valid: boolean }[];
  if (index?.valid === false) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  if (index?.valid !== true) {
    await runner.query(`CREATE ${kind} CONCURRENTLY ${name} ${definition}`);
  }
}

/** TypeORM records a migration by the name of its class. */
export function named(name: string, migrationClass: Function): Function {
  return Object.defineProperty(migrationClass, 'name', { value: name });
}
