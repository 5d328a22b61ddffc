import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the deliveries of a store's timeline: written when an order is delivered, and not when it is made. */
export class IndexDeliveriesOfStores1796800000000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'transactions_delivered_of_store',
      'ON transactions (corner_store_id, delivered_at) WHERE delivered_at IS NOT NULL',
    );
  }
}
