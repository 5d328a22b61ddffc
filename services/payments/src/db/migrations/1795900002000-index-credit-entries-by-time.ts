import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For exports of ledger entries. Entries are only added, so their order in the table is that of their time. */
export class IndexCreditEntriesByTime1795900002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'credit_balance_entries_by_time',
      'ON credit_balance_entries USING brin (created_at) WITH (autosummarize = on)',
    );
  }
}
