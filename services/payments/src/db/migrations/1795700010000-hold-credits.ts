import type { QueryRunner } from 'typeorm';

/** Money that credit notes gave back, and that no payout may take before their statement is closed. */
export class HoldCredits1795700010000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE held_credits (
        credit_note_id uuid PRIMARY KEY,
        -- Null when the note was settled before it was booked here, or left nothing in a balance.
        user_id        uuid REFERENCES credit_balances,
        cents          bigint NOT NULL CHECK (cents >= 0),
        -- When its statement closed at 0 or more.
        settled_at     timestamptz,
        CHECK (user_id IS NOT NULL OR settled_at IS NOT NULL)
      );
      CREATE INDEX held_credits_open ON held_credits (user_id) WHERE settled_at IS NULL;
    `);
  }
}
