import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Also says which debts of a store were open at a time, for the payments of its timeline. */
export class CoverDebtsOfStores1797100000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'receivables_of_store',
      'ON receivables (corner_store_id, opened_at, id) INCLUDE (paid_at)',
    );
    // The new one has its columns.
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS receivables_newest_of_store');
    await runner.query('RESET lock_timeout');
  }
}
