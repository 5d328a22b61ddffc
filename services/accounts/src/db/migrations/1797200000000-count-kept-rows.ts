import type { QueryRunner } from 'typeorm';

/** How many rows of a person stay in a service after a step of an erasure. */
export class CountKeptRows1797200000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasure_parts ADD COLUMN kept_rows integer NOT NULL DEFAULT 0');
  }
}
