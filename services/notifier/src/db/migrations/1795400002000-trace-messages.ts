import type { QueryRunner } from 'typeorm';

/** Which request from outside wants a message: its later tries are logged under the same id. */
export class TraceMessages1795400002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN request_id text');
  }
}
