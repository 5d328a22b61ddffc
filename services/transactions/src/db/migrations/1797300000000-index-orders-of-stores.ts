import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the list of a store's orders with a status: most of them are paid, and the newest are not. */
export class IndexOrdersOfStores1797300000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_of_store',
      'ON transactions (corner_store_id, status, created_at, id)',
    );
    // The new one begins with the same column.
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS transactions_line');
    await runner.query('RESET lock_timeout');
  }
}
