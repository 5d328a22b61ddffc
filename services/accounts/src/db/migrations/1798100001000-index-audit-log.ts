import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the pages of the audit log: all of it, one actor's and one action's, newest first. */
export class IndexAuditLog1798100001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'audit_log_newest', 'ON audit_log (occurred_at, id)');
    await createIndexConcurrently(
      runner,
      'audit_log_of_actor',
      'ON audit_log (actor_id, occurred_at, id)',
    );
    await createIndexConcurrently(
      runner,
      'audit_log_of_action',
      'ON audit_log (action, occurred_at, id)',
    );
  }
}
