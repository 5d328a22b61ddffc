import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** A credit note lowers a debt once. */
export class IndexCredits1795700002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivable_entries_of_credit_note',
      'ON receivable_entries (credit_note_id) WHERE credit_note_id IS NOT NULL',
    );
  }
}
