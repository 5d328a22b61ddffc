import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the timeline of a store: a credit note may come after its debt was paid. */
export class IndexCreditedDebts1797100001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_credited',
      `ON receivables (corner_store_id)
       WHERE credited_principal_cents + credited_interest_cents + credited_iva_cents > 0`,
    );
  }
}
