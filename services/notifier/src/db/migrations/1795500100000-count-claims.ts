import type { QueryRunner } from 'typeorm';

/** What a wholesaler's cap counts, one row for each: counting its messages took longer with each. */
export class CountClaims1795500100000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claims_of_minute (
        wholesaler_id uuid PRIMARY KEY,
        minute        timestamptz NOT NULL,
        claimed       integer NOT NULL
      ) WITH (fillfactor = 50);

      DROP INDEX messages_attempted_for_wholesaler;
    `);
  }
}
