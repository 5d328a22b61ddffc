import type { QueryRunner } from 'typeorm';

/** What an erasure needs from one step to the next. */
export class KeepErasureState1796100001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE erasures
        -- Random bytes: a renamed value is a hash with them. Null before and after the erasure.
        ADD COLUMN name_key bytea,
        -- Images whose rows are gone, until they are gone too.
        ADD COLUMN files text[] NOT NULL DEFAULT '{}'
    `);
    await runner.query(`
      -- Of the person's orders, debts, deposits and payouts: the rows of other services name only these.
      ALTER TABLE erasure_parts ADD COLUMN object_ids uuid[] NOT NULL DEFAULT '{}'
    `);
  }
}
