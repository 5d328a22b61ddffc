import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Ops looks for an order by the wholesaler's id of it, without its wholesaler. */
export class IndexWholesalersIds1798100020000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_wholesalers_id',
      'ON transactions (wholesaler_transaction_id) WHERE wholesaler_transaction_id IS NOT NULL',
    );
  }
}
