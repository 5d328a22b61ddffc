import type { QueryRunner } from 'typeorm';

/** What an order was made with, beside what was delivered, and when it was paid. */
export class KeepOrderedAmounts1795500000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transactions
        -- Null before the delivery, when it is amount_cents, and in deliveries of 1.0.0.
        ADD COLUMN ordered_cents bigint,
        -- When payments applied the payment that settled it. Null while it is not paid, and in orders
        -- that were paid with 1.0.0.
        ADD COLUMN paid_at timestamptz
    `);
  }
}
