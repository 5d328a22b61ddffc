import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/**
 * For the list of the messages of a template, of which there may be none. Those that most orders have are found by
 * their time, and are not written here.
 */
export class IndexRareTemplates1797300001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'messages_of_rare_template',
      `ON messages (template, created_at, id)
       WHERE template NOT IN ('order-code', 'delivered', 'payment-received')`,
    );
  }
}
