import type { QueryRunner } from 'typeorm';

/** Claims have read messages_waiting since IndexWaitingMessages1795602000000. */
export class DropMessagesDue1798601005000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS messages_due');
  }
}
