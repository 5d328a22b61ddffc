import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** Due invoices are looked for every few seconds: the index is as small as they are few. */
export class IndexDueInvoices1795820001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'invoices_due',
      `ON invoices (next_attempt_at) WHERE status = 'pending'`,
    );
  }
}
