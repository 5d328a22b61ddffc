import type { QueryRunner } from 'typeorm';

/** The stores of before are indexed too. A loop does that while the service runs. */
export class AwaitNames1797000001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'INSERT INTO names_due (corner_store_id) SELECT id FROM corner_stores ORDER BY id',
    );
  }
}
