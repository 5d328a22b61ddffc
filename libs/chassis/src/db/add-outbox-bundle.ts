import type { QueryRunner } from 'typeorm';

/** The bundle that a row left in; null for a row that left as a job of its own. */
export class AddOutboxBundle1795564800000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN bundle text');
  }
}
