import type { QueryRunner } from 'typeorm';

/** When each payment provider looked references up: one row for each provider. */
export class CountLookUps1797300000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reference_lookups (
        payment_provider_id uuid PRIMARY KEY,
        -- The last ones, oldest first; as many as a minute allows.
        looked_up_at        timestamptz[] NOT NULL
      );
    `);
  }
}
