import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';

/** For the loop that deletes the contacts of stores some time after the decision on them. */
export class IndexContacts1796100002000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'users_with_contacts',
      'ON users (id) WHERE contacts IS NOT NULL',
    );
  }
}
