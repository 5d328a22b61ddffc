import type { QueryRunner } from 'typeorm';

/** When the copy for a person was last tried, so that one at fault keeps no other waiting. */
export class RetryPackages1797300001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE privacy_requests ADD COLUMN package_tried_at timestamptz');
  }
}
