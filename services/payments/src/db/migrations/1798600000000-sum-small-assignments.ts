import type { QueryRunner } from 'typeorm';

/**
 * What one person assigns alone is summed for each corner store. Who decided earlier assignments,
 * a person or a key, is not known here: they count for nothing.
 */
export class SumSmallAssignments1798600000000 {
  async up(runner: QueryRunner): Promise<void> {
    // Decisions of ops: the table is small.
    await runner.query(`
      -- Of an assignment that one person made: the amount of the deposit.
      ALTER TABLE deposit_decisions ADD COLUMN alone_cents bigint CHECK (alone_cents > 0);
    `);
  }
}
