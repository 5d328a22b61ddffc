import type { QueryRunner } from 'typeorm';

/** The span that wrote a job (ADR 60): its trace continues in the process that works on the job. */
export class KeepTraceparents1798430000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox ADD COLUMN traceparent text');
  }
}
