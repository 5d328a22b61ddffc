import type { QueryRunner } from 'typeorm';

/**
 * SMS to numbers that no customer has, by wholesaler and hour, and a limit of its own for a
 * wholesaler that ops raised it for.
 */
export class BudgetUnknownNumbers1795600000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wholesalers ADD COLUMN sms_to_unknown_per_day integer
        CHECK (sms_to_unknown_per_day >= 0);

      CREATE TABLE unknown_number_sends (
        wholesaler_id uuid NOT NULL REFERENCES wholesalers,
        hour          timestamptz NOT NULL,
        sent          integer NOT NULL DEFAULT 0,
        confirmed     integer NOT NULL DEFAULT 0,
        last_sent_at  timestamptz,
        PRIMARY KEY (wholesaler_id, hour)
      );
    `);
  }
}
