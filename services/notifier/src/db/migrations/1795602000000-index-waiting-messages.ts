import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/**
 * The queue of each wholesaler in the order of its messages. The expression is QUEUE_ID of
 * claim-messages.ts. The index messages_due goes in a later release: the one before this needs it.
 */
export class IndexWaitingMessages1795602000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'messages_waiting',
      `ON messages (
        (coalesce(wholesaler_id, '00000000-0000-0000-0000-000000000000'::uuid)),
        next_attempt_at, id)
      WHERE status = 'pending'`,
    );
  }
}
