import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the list of a provider's deposits: one that sent none for years was looked for among all. */
export class IndexDepositsOfProviders1797300001000 {
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'deposits_of_provider',
      'ON deposits (provider_name, received_at DESC, id DESC)',
    );
  }
}
