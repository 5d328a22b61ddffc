import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Ops looks for a customer by its external id without its wholesaler. */
export class IndexExternalIds1798100000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'customers_external_id', 'ON customers (external_id)');
  }
}
