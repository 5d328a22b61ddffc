import type { QueryRunner } from 'typeorm';

/** The request from outside that caused a job, so that it can be followed through every process. */
export class TraceOutbox1795400001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN request_id text');
  }
}
