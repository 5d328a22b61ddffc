import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For listTransactions with `deliveredFrom`. */
export class IndexDeliveries1795500001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_delivered',
      'ON transactions (wholesaler_id, delivered_at) WHERE delivered_at IS NOT NULL',
    );
  }
}
