import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** The open debts that owe the amount of a deposit: OUTSTANDING of debts/receivable.ts. */
export class IndexWhatIsOwed1795700003000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_owed',
      `ON receivables (
         (principal_cents + interest_cents + iva_cents
          - paid_principal_cents - paid_interest_cents - paid_iva_cents
          - credited_principal_cents - credited_interest_cents - credited_iva_cents), due_at, id)
       WHERE paid_at IS NULL`,
    );
    // The release before only looks longer for candidates without it.
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS receivables_outstanding');
    await runner.query('RESET lock_timeout');
  }
}
