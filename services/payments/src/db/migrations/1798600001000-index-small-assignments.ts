import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** What single persons assigned to a corner store lately is summed with each assignment of a person. */
export class IndexSmallAssignments1798600001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'deposit_decisions_alone',
      'ON deposit_decisions (corner_store_id, decided_at) WHERE alone_cents IS NOT NULL',
    );
  }
}
