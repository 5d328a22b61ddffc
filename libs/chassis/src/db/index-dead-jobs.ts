import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Dead letters are read often. A partial index stays small because they are few. */
export class IndexDeadJobs1795200000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'outbox_dead',
      'ON outbox (dead_at, id) WHERE dead_at IS NOT NULL AND done_at IS NULL',
    );
  }
}
