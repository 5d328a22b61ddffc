import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** A reversal looks at all receivables of a user, paid ones too; it read the whole table. */
export class IndexReceivablesOfUser1795900000000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'receivables_of_user', 'ON receivables (user_id)');
  }
}
