import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Notices are deleted 90 days after they were decided on. */
export class IndexDecidedNotices1797600000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'notices_decided',
      'ON notices (decided_at) WHERE decided_at IS NOT NULL',
    );
  }
}
