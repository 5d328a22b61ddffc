import type { QueryRunner } from 'typeorm';

/**
 * The rows that a claim locks: the wholesaler's, with the last minute that its cap was reached in,
 * and the phone's.
 */
export class ClaimByWholesaler1795601000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE claims_of_minute ADD COLUMN full_minute timestamptz;

      CREATE TABLE phone_claims (
        phone_index bytea PRIMARY KEY,
        version     bigint NOT NULL DEFAULT 1
      ) WITH (fillfactor = 50);
    `);
  }
}
