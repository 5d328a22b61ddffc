import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which request from outside wants a message: its later tries are logged under the same id. */
export class TraceMessages1795400002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN request_id');
  }
}
