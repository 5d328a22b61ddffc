import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For ops' list of defaults: of all wholesalers, open ones, and those of a corner store. */
export class IndexDefaults1798200001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'payment_defaults_newest',
      'ON payment_defaults (opened_at DESC, id DESC)',
    );
    await createIndexConcurrently(
      runner,
      'payment_defaults_newest_open',
      'ON payment_defaults (opened_at DESC, id DESC) WHERE paid_at IS NULL',
    );
    await createIndexConcurrently(
      runner,
      'payment_defaults_of_corner_store',
      'ON payment_defaults (corner_store_id, opened_at DESC, id DESC)',
    );
  }
}
