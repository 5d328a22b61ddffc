import type { QueryRunner } from 'typeorm';

/** Corner stores whose owner wants no reminders, or wanted none for a time. */
export class KeepOppositions1796000004000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE opposing_stores (
        corner_store_id uuid PRIMARY KEY,
        opposes         boolean NOT NULL,
        -- Of accounts; a newer one wins.
        version         bigint NOT NULL
      )
    `);
  }
}
