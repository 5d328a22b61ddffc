import type { QueryRunner } from 'typeorm';

/** Words about reminders may arrive in another order than they were sent: the latest counts. */
export class TimeOppositions1796000003000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corner_stores ADD COLUMN opposition_changed_at timestamptz');
  }
}
