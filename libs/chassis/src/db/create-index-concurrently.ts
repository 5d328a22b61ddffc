import type { QueryRunner } from 'typeorm';

/**
 * Creates an index without stopping writes to its table. The migration must declare
 * `transaction = false`, and should do nothing else: what it did before an error stays done. The
 * build waits for every open transaction that sees an older state, and blocks no reader and no
 * writer while it waits, so it has no time-out. May be called again after an interrupted build,
 * which leaves an invalid index behind.
 * @param name the index, without a schema
 * @param definition the rest of the statement, such as `ON outbox (dead_at) WHERE done_at IS NULL`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  const [index] = (await runner.query(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { valid: boolean }[];
  if (index?.valid === false) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  if (index?.valid !== true) {
    await runner.query(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
  }
  // After an error the connection is closed, so this is only needed on success.
  await runner.query('RESET lock_timeout');
}
