import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For a store's timeline: the newest entries of its credit balance. */
export class IndexBalancesByTime1797300002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_balance_entries_newest',
      'ON credit_balance_entries (user_id, created_at)',
    );
  }
}
