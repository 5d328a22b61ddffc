import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A deposit above the ceiling is unmatched too, and waits for ops. */
export class LetLargeDepositsWait1795640001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // NOT VALID: the rows obeyed the narrower rule, so no scan under the lock is needed.
    await runner.query(`
      ALTER TABLE deposits
        DROP CONSTRAINT deposits_unmatched_reason_check,
        ADD CONSTRAINT deposits_unmatched_reason_check
          CHECK (unmatched_reason IN ('unknown', 'ambiguous', 'above-ceiling')) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deposits
        DROP CONSTRAINT deposits_unmatched_reason_check,
        ADD CONSTRAINT deposits_unmatched_reason_check
          CHECK (unmatched_reason IN ('unknown', 'ambiguous')) NOT VALID;
    `);
  }
}
