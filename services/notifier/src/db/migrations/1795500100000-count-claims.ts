import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a wholesaler's cap counts, one row for each: counting its messages took longer with each. */
export class CountClaims1795500100000 implements MigrationInterface {
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE claims_of_minute;

      CREATE INDEX messages_attempted_for_wholesaler ON messages (wholesaler_id, attempted_at)
        WHERE attempted_at IS NOT NULL;
    `);
  }
}
