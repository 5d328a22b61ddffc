import type { QueryRunner } from 'typeorm';

/** What is erased of a person becomes null. */
export class LetPersonsBeErased1796100000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credit_lines ALTER COLUMN phone_sealed DROP NOT NULL');
    await runner.query('ALTER TABLE delivery_words ALTER COLUMN word_sealed DROP NOT NULL');
  }
}
