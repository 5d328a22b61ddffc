import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the debts of a store, newest first: in its timeline and in the list of ops. */
export class IndexDebtsOfStores1796800001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_newest_of_store',
      'ON receivables (corner_store_id, opened_at, id)',
    );
    // The new one begins with the same column.
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS receivables_of_corner_store');
    await runner.query('RESET lock_timeout');
  }
}
