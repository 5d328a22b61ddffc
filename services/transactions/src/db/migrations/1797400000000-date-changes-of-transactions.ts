import type { QueryRunner } from 'typeorm';

/**
 * When an order was created or last changed, for listTransactions with updatedSince. Kept by the
 * table itself, so that the release before keeps it too.
 *
 * clock_timestamp(), not now(): a change is visible once it is committed, and a poll misses changes
 * that are dated before its last position and committed after it. The time of the statement is nearer
 * to the commit than the start of the database transaction, which may have waited for a lock since.
 */
export class DateChangesOfTransactions1797400000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- now() is evaluated once: the rows that exist are not rewritten, and count as changed now.
      ALTER TABLE transactions ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
      ALTER TABLE transactions ALTER COLUMN updated_at SET DEFAULT clock_timestamp();

      CREATE FUNCTION date_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.updated_at := clock_timestamp();
        RETURN NEW;
      END $$;
      -- Of every column: an order that is listed once too often does no harm.
      CREATE TRIGGER date_change BEFORE UPDATE ON transactions FOR EACH ROW
        EXECUTE FUNCTION date_change();
    `);
  }
}
