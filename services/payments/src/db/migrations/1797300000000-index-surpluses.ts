import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the surplus of a deposit that is taken back: a user may have an entry of the balance for each order. */
export class IndexSurpluses1797300000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_balance_entries_of_deposit',
      'ON credit_balance_entries (deposit_id) WHERE deposit_id IS NOT NULL',
    );
  }
}
