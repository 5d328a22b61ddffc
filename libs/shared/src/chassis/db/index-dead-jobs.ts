import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dead letters are looked at again and again: their index is as small as they are few. */
export class IndexDeadJobs1795200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX outbox_dead ON outbox (dead_at, id)
        WHERE dead_at IS NOT NULL AND done_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_dead');
  }
}
