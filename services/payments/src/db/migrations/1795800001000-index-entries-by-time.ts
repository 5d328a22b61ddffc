import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For the books of a day. Entries are in the order of their time, so a BRIN of some pages does. */
export class IndexEntriesByTime1795800001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivable_entries_created',
      'ON receivable_entries USING brin (created_at) WITH (autosummarize = on)',
    );
  }
}
