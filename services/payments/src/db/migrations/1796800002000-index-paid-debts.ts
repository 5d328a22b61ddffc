import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the list of paid debts: all debts of the last weeks are still owed. Written when a debt is paid. */
export class IndexPaidDebts1796800002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_paid',
      'ON receivables (opened_at, id) WHERE paid_at IS NOT NULL',
    );
  }
}
