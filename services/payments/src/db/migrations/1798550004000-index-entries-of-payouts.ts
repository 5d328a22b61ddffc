import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** A payout leaves a balance once and comes back once; a recovery is opened once. */
export class IndexEntriesOfPayouts1798550004000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_balance_entries_of_payout',
      `ON credit_balance_entries (payout_id, (cause = 'payout')) WHERE payout_id IS NOT NULL`,
      { unique: true },
    );
    await createIndexConcurrently(
      runner,
      'credit_balance_entries_of_recovery',
      'ON credit_balance_entries (recovery_id) WHERE recovery_id IS NOT NULL',
      { unique: true },
    );
  }
}
