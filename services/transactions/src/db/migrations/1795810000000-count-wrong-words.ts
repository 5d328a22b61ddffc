import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The release before leaves this column at its default: it counts wrong words for each word only. */
export class CountWrongWords1795810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE delivery_words ADD COLUMN wrong_checks_in_all integer NOT NULL DEFAULT 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery_words DROP COLUMN wrong_checks_in_all');
  }
}
