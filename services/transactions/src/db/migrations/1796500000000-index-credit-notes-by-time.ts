import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For exports of credit notes. */
export class IndexCreditNotesByTime1796500000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_notes_by_time',
      'ON credit_notes (created_at, id)',
    );
  }
}
