import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the portfolio, which sums all write-offs up to its day: few flows have one. */
export class IndexWriteOffsOfDays1797400000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'portfolio_flows_written_off',
      `ON portfolio_flows (wholesaler_id, day) INCLUDE (written_off_principal_cents)
       WHERE written_off_principal_cents > 0`,
    );
  }
}
