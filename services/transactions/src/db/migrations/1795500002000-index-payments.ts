import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For listTransactions with `paidFrom`. */
export class IndexPayments1795500002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_paid',
      'ON transactions (wholesaler_id, paid_at) WHERE paid_at IS NOT NULL',
    );
  }
}
