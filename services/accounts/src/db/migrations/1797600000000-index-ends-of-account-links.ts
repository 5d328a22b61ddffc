import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Account links are deleted a day after they expired. */
export class IndexEndsOfAccountLinks1797600000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'account_links_ended', 'ON account_links (expires_at)');
  }
}
