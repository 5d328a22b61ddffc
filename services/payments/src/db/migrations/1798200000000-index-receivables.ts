import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/**
 * For ops' lists of receivables: newest first, open ones by their last day, of all wholesalers and
 * of one, and the open ones that owe the amount of a deposit. The expression is OUTSTANDING of
 * ops-receivables.repository.ts.
 */
export class IndexReceivables1798200000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_newest',
      'ON receivables (opened_at DESC, id DESC)',
    );
    await createIndexConcurrently(
      runner,
      'receivables_newest_of_wholesaler',
      'ON receivables (wholesaler_id, opened_at DESC, id DESC)',
    );
    await createIndexConcurrently(
      runner,
      'receivables_due',
      'ON receivables (due_at, id) WHERE paid_at IS NULL',
    );
    await createIndexConcurrently(
      runner,
      'receivables_due_of_wholesaler',
      'ON receivables (wholesaler_id, due_at, id) WHERE paid_at IS NULL',
    );
    await createIndexConcurrently(
      runner,
      'receivables_outstanding',
      `ON receivables ((principal_cents + interest_cents + iva_cents
          - paid_principal_cents - paid_interest_cents - paid_iva_cents), due_at, id)
        WHERE paid_at IS NULL`,
    );
  }
}
