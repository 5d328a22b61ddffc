import type { QueryRunner } from 'typeorm';

/** The consents of before; from then on a trigger copies those that processes of 1.0.0 write. */
export class MoveConsents1796000001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO consents
        (user_id, verification_id, notice_version, notice_url, purposes, channel, given_at)
      SELECT v.user_id, v.id, c.notice_version, c.notice_url, ARRAY['necessary'], 'link',
             c.consented_at
        FROM privacy_consents c JOIN verifications v ON v.id = c.verification_id
      ON CONFLICT DO NOTHING
    `);
  }
}
