import type { QueryRunner } from 'typeorm';

/** The release before leaves these columns at their defaults: it counts checks for each code only. */
export class CountWrongCodes1795610000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE customers
        ADD COLUMN wrong_codes       integer NOT NULL DEFAULT 0,
        ADD COLUMN wrong_codes_since timestamptz`);
  }
}
