import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For ops' list of failing webhooks. A delivery that succeeds at once is never in it. */
export class IndexFailingDeliveries1797000001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'webhook_deliveries_failing',
      `ON webhook_deliveries (id) WHERE status = 'failed' OR status = 'pending' AND attempts > 0`,
    );
  }
}
