import type { QueryRunner } from 'typeorm';

/** What became of a corner store at its owner's request. */
export class BlockCornerStores1796000002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE corner_stores
        -- The owner's data are kept and not used, until they are suppressed.
        ADD COLUMN blocked_at timestamptz,
        ADD COLUMN erased_at timestamptz,
        -- The owner gets no reminders before a debt is due.
        ADD COLUMN opposed_at timestamptz,
        -- When the last SMS about an opposition went to the store: one a day.
        ADD COLUMN opposition_told_at timestamptz
    `);
  }
}
