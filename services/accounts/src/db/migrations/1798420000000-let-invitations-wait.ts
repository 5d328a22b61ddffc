import type { QueryRunner } from 'typeorm';

/**
 * The version of a person, so that an approved change of an earlier one is not made, and who held
 * the link with which a person came in: the two do not approve each other's changes.
 */
export class LetInvitationsWait1798420000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE staff
        ADD COLUMN version     bigint NOT NULL DEFAULT 1,
        -- Null: a key of ops held it, or nobody is known to.
        ADD COLUMN admitted_by text;
      ALTER TABLE staff_invitations ADD COLUMN held_by text;
    `);
  }
}
