import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the last deposit of a user, which the page of a store asks for, and for the erasure of a person. */
export class IndexDepositsOfUsers1797300003000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'deposits_of_user',
      'ON deposits (user_id, received_at) WHERE user_id IS NOT NULL',
    );
  }
}
