import type { QueryRunner } from 'typeorm';

/** What is erased of a person becomes null. */
export class LetPersonsBeErased1796100000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ALTER COLUMN first_name DROP NOT NULL,
        ALTER COLUMN last_names DROP NOT NULL,
        ALTER COLUMN phone DROP NOT NULL
    `);
    await runner.query('ALTER TABLE verifications ALTER COLUMN phone DROP NOT NULL');
  }
}
