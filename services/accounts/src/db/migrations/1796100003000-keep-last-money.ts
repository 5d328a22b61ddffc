import type { QueryRunner } from 'typeorm';

/** When money last moved between a person and the lender: the retention begins then. */
export class KeepLastMoney1796100003000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasure_parts ADD COLUMN last_money_at timestamptz');
  }
}
