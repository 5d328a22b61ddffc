import type { QueryRunner } from 'typeorm';

/**
 * Wrong codes of a customer in a day, given through the API and on pages, and those on the page of
 * one link. The release before leaves these columns at their defaults: it counts checks for each
 * code only.
 */
export class CountWrongCodes1795610000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE customers
        ADD COLUMN wrong_codes            integer NOT NULL DEFAULT 0,
        ADD COLUMN wrong_codes_since      timestamptz,
        ADD COLUMN page_wrong_codes       integer NOT NULL DEFAULT 0,
        ADD COLUMN page_wrong_codes_since timestamptz;
      ALTER TABLE verifications
        ADD COLUMN page_code_salt   bytea,
        ADD COLUMN page_checks      integer NOT NULL DEFAULT 0,
        ADD COLUMN page_wrong_codes integer NOT NULL DEFAULT 0;
    `);
  }
}
