import type { QueryRunner } from 'typeorm';

/**
 * Each change of a phone that a wholesaler made without a code, and the settings that decide what
 * follows from it. The release before writes no change here: what it changes is not held.
 */
export class HoldChangedPhones1795610001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wholesalers
        ADD COLUMN phone_change_hold   text NOT NULL DEFAULT 'shared'
                                       CHECK (phone_change_hold IN ('shared', 'always', 'never')),
        ADD COLUMN batch_enabled       boolean NOT NULL DEFAULT true,
        ADD COLUMN batch_items_per_day integer NOT NULL DEFAULT 0 CHECK (batch_items_per_day >= 0);

      CREATE TABLE phone_changes (
        id              uuid PRIMARY KEY,
        wholesaler_id   uuid NOT NULL,
        corner_store_id uuid NOT NULL,
        changed_at      timestamptz NOT NULL DEFAULT now(),
        -- Until when the wholesaler's larger orders for the store are refused; null: they are not.
        held_until      timestamptz,
        FOREIGN KEY (wholesaler_id, corner_store_id) REFERENCES customers
      );
      CREATE INDEX phone_changes_customer
        ON phone_changes (corner_store_id, wholesaler_id, changed_at);
      CREATE INDEX phone_changes_held ON phone_changes (held_until) WHERE held_until IS NOT NULL;
    `);
  }
}
