import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/**
 * For what a paused endpoint holds, and for the failing deliveries of one endpoint. A delivery that succeeds at
 * once is never in either.
 */
export class IndexOpenDeliveries1797300000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'webhook_deliveries_held',
      `ON webhook_deliveries (endpoint_id) WHERE status = 'held'`,
    );
    await createIndexConcurrently(
      runner,
      'webhook_deliveries_failing_of_endpoint',
      `ON webhook_deliveries (endpoint_id, id)
       WHERE status = 'failed' OR status = 'pending' AND attempts > 0`,
    );
  }
}
