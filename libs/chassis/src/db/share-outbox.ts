import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** When a job that its queue refused is tried again; null for one that was never refused. */
export class RetryRefusedJobs1798530000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN retry_at timestamptz');
  }
}

/** The relay claims some rows of each queue. `retry_at` is set only for a refused row. */
export class IndexWaitingJobs1798530001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'outbox_waiting',
      'ON outbox (queue, retry_at NULLS FIRST, created_at) WHERE enqueued_at IS NULL',
    );
  }
}

/** The index above takes its place, for the claim of the previous release too: it holds the same rows. */
export class DropOutboxToRelay1798530002000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outbox_to_relay');
  }
}
