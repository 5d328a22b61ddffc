import type { QueryRunner } from 'typeorm';

/** The span that stored a message (ADR 60): each attempt to send it belongs to the same trace. */
export class KeepTraceparentsOfMessages1798430001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN traceparent text');
  }
}
