import type { QueryRunner } from 'typeorm';

/**
 * Codes and delivery words are good for the phone number that they were sent to: each keeps how often
 * the wholesaler had changed the number by then. The release before leaves 0, so what it sends after
 * such a change has to be sent again.
 */
export class HoldChangedPhones1795610001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE customers
        ADD COLUMN phone_changes    integer NOT NULL DEFAULT 0,
        ADD COLUMN phone_held_until timestamptz;
      ALTER TABLE verifications  ADD COLUMN phone_changes integer NOT NULL DEFAULT 0;
      ALTER TABLE delivery_words ADD COLUMN phone_changes integer NOT NULL DEFAULT 0;
      ALTER TABLE wholesalers
        ADD COLUMN batch_enabled       boolean NOT NULL DEFAULT true,
        -- 0 is no limit.
        ADD COLUMN batch_items_per_day integer NOT NULL DEFAULT 0,
        -- Not a copy: items that were accepted on batch_items_on, while there was a limit.
        ADD COLUMN batch_items         integer NOT NULL DEFAULT 0,
        ADD COLUMN batch_items_on      date;
    `);
  }
}
