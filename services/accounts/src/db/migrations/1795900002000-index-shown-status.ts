import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the list of corner stores by the status that is shown, which read all of them. */
export class IndexShownStatus1795900002000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'corner_stores_of_status',
      `ON corner_stores (
        (CASE WHEN status = 'approved' AND overdue THEN 'in-payment-default' ELSE status END),
        created_at DESC, id DESC)`,
    );
  }
}
