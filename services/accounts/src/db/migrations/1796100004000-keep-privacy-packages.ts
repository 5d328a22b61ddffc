import type { QueryRunner } from 'typeorm';

/** Copies that persons asked for, of what is kept of them. */
export class KeepPrivacyPackages1796100004000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE privacy_packages (
        request_id  uuid PRIMARY KEY REFERENCES privacy_requests,
        user_id     uuid NOT NULL,
        -- Of the sealed file in the document store; null once its time is over.
        storage_key text,
        size_bytes  bigint NOT NULL,
        ready_at    timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX privacy_packages_of_user ON privacy_packages (user_id, ready_at);
      CREATE INDEX privacy_packages_kept ON privacy_packages (ready_at) WHERE storage_key IS NOT NULL;
    `);
  }
}
