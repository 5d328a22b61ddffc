import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** Unknown messages keep phone and values until they expire. There are few. */
export class IndexUnknownMessages1798590000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'messages_unknown',
      `ON messages (expires_at) WHERE status = 'unknown' AND sealed IS NOT NULL`,
    );
  }
}
