import type { QueryRunner } from 'typeorm';

/** Changes of phone that were refused because another user has the number. */
export class CountTakenPhones1798530003000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE unknown_number_sends ADD COLUMN taken integer NOT NULL DEFAULT 0',
    );
  }
}
