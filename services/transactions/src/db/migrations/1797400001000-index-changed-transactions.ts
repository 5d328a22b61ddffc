import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the pages of listTransactions with updatedSince. */
export class IndexChangedTransactions1797400001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_changed',
      'ON transactions (wholesaler_id, updated_at, id)',
    );
  }
}
