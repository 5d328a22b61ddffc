import type { QueryRunner } from 'typeorm';

/** The release before leaves this column at its default: it counts wrong words for each word only. */
export class CountWrongWords1795810000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE delivery_words ADD COLUMN wrong_checks_in_all integer NOT NULL DEFAULT 0',
    );
  }
}
