import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** For the audit entries of this minute about refused credentials, which are counted before each more. */
export class IndexRefusedCredentials1795630001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'audit_log_refused_credentials',
      `ON audit_log (occurred_at) WHERE action = 'credential.refused'`,
    );
  }
}
