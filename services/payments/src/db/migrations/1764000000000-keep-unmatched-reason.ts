import type { QueryRunner } from 'typeorm';

/** Why a deposit is unmatched. */
export class KeepUnmatchedReason1764000000000 {
  async up(runner: QueryRunner): Promise<void> {
    // NOT VALID: the new column is null in every row, so no scan under the lock is needed.
    await runner.query(`
      ALTER TABLE deposits
        ADD COLUMN unmatched_reason text,
        ADD CONSTRAINT deposits_unmatched_reason_check
          CHECK (unmatched_reason IN ('unknown', 'ambiguous')) NOT VALID;
    `);
  }
}
