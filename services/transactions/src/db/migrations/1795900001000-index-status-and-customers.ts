import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/**
 * For the pages of listTransactions with a status, which read all orders of the wholesaler, and for
 * the sums of each corner store, which looked for its customer links in the whole table.
 */
export class IndexStatusAndCustomers1795900001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_of_status',
      'ON transactions (wholesaler_id, status, created_at, id)',
    );
    await createIndexConcurrently(
      runner,
      'customers_corner_store',
      'ON customers (corner_store_id)',
    );
  }
}
