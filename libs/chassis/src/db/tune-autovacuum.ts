import type { QueryRunner } from 'typeorm';

/**
 * Rows that are changed some times and deleted within a day or a month: a vacuum starts after 1 % of
 * the table and not 20 %, so that their space is used again. It takes no pauses, because these tables
 * are small.
 */
export const SHORT_LIVED_ROWS =
  'autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, ' +
  'autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05';

/**
 * Rows that change for some weeks and are then kept for months or for good. 20 % of a table of years
 * are millions of dead rows, and as many in each of its indexes.
 */
export const LONG_LIVED_ROWS =
  'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, ' +
  'autovacuum_analyze_scale_factor = 0.02';

/** Sets storage parameters. The lock that it takes (SHARE UPDATE EXCLUSIVE) lets rows be written. */
export async function setStorage(
  runner: Pick<QueryRunner, 'query'>,
  parameters: string,
  tables: string[],
): Promise<void> {
  for (const table of tables) await runner.query(`ALTER TABLE ${table} SET (${parameters})`);
}

/** Of the tables that every schema has. */
export class TuneAutovacuum1798601000000 {
  up(runner: QueryRunner): Promise<void> {
    return setStorage(runner, SHORT_LIVED_ROWS, ['outbox', 'inbox', 'idempotency_keys']);
  }
}
