import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

/** The corrections that people decided, apart from the lines that they became. */
export class KeepAdjustments1796400000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE settlement_adjustments (
        -- Of the change request; without a second person its own.
        id               uuid PRIMARY KEY,
        wholesaler_id    uuid NOT NULL,
        kind             text NOT NULL CHECK (kind IN ('clawback', 'adjustment')),
        transaction_id   uuid,
        -- What a clawback takes, and what an adjustment adds.
        amount_cents     bigint NOT NULL CHECK (amount_cents <> 0),
        commission_cents bigint NOT NULL,
        -- Null: older than this table.
        requested_by     text,
        -- Null: one person was enough.
        approved_by      text,
        created_at       timestamptz NOT NULL DEFAULT now()
      );
      REVOKE UPDATE, DELETE ON settlement_adjustments FROM ${roleOf('transactions')};
      INSERT INTO settlement_adjustments
        (id, wholesaler_id, kind, transaction_id, amount_cents, commission_cents, created_at)
      SELECT source_id, wholesaler_id, kind, transaction_id,
             CASE kind WHEN 'clawback' THEN -gross_cents ELSE gross_cents END, commission_cents,
             recorded_at
        FROM settlement_lines WHERE kind IN ('clawback', 'adjustment')`);
  }
}
