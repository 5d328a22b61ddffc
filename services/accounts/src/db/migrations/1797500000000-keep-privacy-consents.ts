import type { QueryRunner } from 'typeorm';

/** Consents to the lender's privacy notice, given on the page of an identity link. */
export class KeepPrivacyConsents1797500000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE privacy_consents (
        verification_id uuid NOT NULL REFERENCES verifications,
        notice_version  text NOT NULL,
        -- Where the notice stood then.
        notice_url      text NOT NULL,
        consented_at    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (verification_id, notice_version)
      );
    `);
  }
}
