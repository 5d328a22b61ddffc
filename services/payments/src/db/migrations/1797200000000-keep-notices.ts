import type { QueryRunner } from 'typeorm';

/** Messages to corner stores about their debts (ADR 41), and the zones of stores that have one. */
export class KeepNotices1797200000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notices (
        id              uuid PRIMARY KEY DEFAULT uuidv7(),
        kind            text NOT NULL CHECK (kind IN
          ('delivered', 'payment-received', 'payment-due', 'payment-overdue')),
        -- A receivable; of payment-received a deposit.
        subject_id      uuid NOT NULL,
        corner_store_id uuid NOT NULL,
        state           text NOT NULL DEFAULT 'waiting'
          CHECK (state IN ('waiting', 'sent', 'dropped')),
        -- Not looked at before: the store's next hours.
        not_before      timestamptz NOT NULL,
        decided_at      timestamptz,
        UNIQUE (subject_id, kind)
      );
      CREATE INDEX notices_waiting ON notices (not_before, id) WHERE state = 'waiting';
      CREATE INDEX notices_sent ON notices (corner_store_id, decided_at) WHERE state = 'sent';

      CREATE TABLE store_time_zones (
        corner_store_id uuid PRIMARY KEY,
        time_zone       text NOT NULL,
        version         bigint NOT NULL
      );
    `);
  }
}
