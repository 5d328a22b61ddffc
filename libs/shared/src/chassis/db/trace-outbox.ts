import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which request from outside wants a job, so that it can be followed through every process. */
export class TraceOutbox1795400001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN request_id');
  }
}
