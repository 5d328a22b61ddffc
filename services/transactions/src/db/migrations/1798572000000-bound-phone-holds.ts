import type { QueryRunner } from 'typeorm';

/**
 * A phone hold bounds all orders whose code or word went to a number of the hold: those with more
 * phone changes than there were before it. Null counts as none; it is known for the next hold.
 */
export class BoundPhoneHolds1798572000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ADD COLUMN phone_changes_before_hold integer');
  }
}
