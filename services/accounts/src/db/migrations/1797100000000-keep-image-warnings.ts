import type { QueryRunner } from 'typeorm';

/** What the upload of an image found: that it is small, or blurred. Null for the images of before. */
export class KeepImageWarnings1797100000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE onboarding_documents ADD COLUMN warnings text[]');
  }
}
