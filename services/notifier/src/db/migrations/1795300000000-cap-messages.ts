import type { QueryRunner } from 'typeorm';

/** When each message was last claimed: what the caps against SMS pumping count by. */
export class CapMessages1795300000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages ADD COLUMN attempted_at timestamptz;
      -- What was sent before the caps counts too, as far back as any cap looks.
      UPDATE messages SET attempted_at = updated_at
       WHERE attempts > 0 AND updated_at > now() - interval '1 day';
      CREATE INDEX messages_attempted_for_phone ON messages (phone_index, attempted_at)
        WHERE attempted_at IS NOT NULL;
      CREATE INDEX messages_attempted_for_wholesaler ON messages (wholesaler_id, attempted_at)
        WHERE attempted_at IS NOT NULL;
    `);
  }
}
