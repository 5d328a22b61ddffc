import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For the debts that are so many days past their due date, paid ones too, in the books of a day. */
export class IndexDebtsByDueDate1795800002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_due_range',
      'ON receivables USING brin (due_at) WITH (autosummarize = on)',
    );
  }
}
