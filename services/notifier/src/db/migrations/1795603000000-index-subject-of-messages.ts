import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the status of an order's SMS. */
export class IndexSubjectOfMessages1795603000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'messages_of_subject',
      'ON messages (subject_id, template, created_at, id)',
    );
  }
}
