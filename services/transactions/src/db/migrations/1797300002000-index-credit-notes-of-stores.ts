import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the credit notes of a store's timeline, newest first. */
export class IndexCreditNotesOfStores1797300002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_notes_of_store',
      'ON credit_notes (corner_store_id, created_at)',
    );
  }
}
