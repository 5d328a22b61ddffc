import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** One index finds orders by the wholesaler's id of them, with their wholesaler and without. */
export class IndexOrderIds1798601002000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_order_id',
      `ON transactions (wholesaler_transaction_id, wholesaler_id, created_at)
        WHERE wholesaler_transaction_id IS NOT NULL`,
    );
  }
}

/** The index above takes the place of these two, for the statements of the previous release too. */
export class DropOrderIndexes1798601003000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS transactions_order');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS transactions_wholesalers_id');
  }
}
