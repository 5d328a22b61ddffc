import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

const ROLE = roleOf('transactions');

/** Goods of a delivered order that came back or cost less. */
export class CreateCreditNotes1795700010000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credit_notes (
        id               uuid PRIMARY KEY,
        transaction_id   uuid NOT NULL REFERENCES transactions,
        -- 1, 2, 3 … of its order.
        number           integer NOT NULL CHECK (number > 0),
        principal_cents  bigint NOT NULL CHECK (principal_cents > 0),
        interest_cents   bigint NOT NULL CHECK (interest_cents >= 0),
        iva_cents        bigint NOT NULL CHECK (iva_cents >= 0),
        commission_cents bigint NOT NULL CHECK (commission_cents >= 0),
        reason           text NOT NULL
                         CHECK (reason IN ('return', 'damaged', 'missing', 'price', 'other')),
        -- The wholesaler's own id of it.
        reference        text,
        -- The order's invoice at that time, which its issuer has to correct. Null without one.
        invoice_id       uuid,
        -- Id of the credential or the person.
        created_by       text NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        UNIQUE (transaction_id, number)
      );
      CREATE UNIQUE INDEX credit_notes_reference ON credit_notes (transaction_id, reference)
        WHERE reference IS NOT NULL;
      -- A note is kept as it is; its reference may be erased.
      REVOKE UPDATE, DELETE ON credit_notes FROM ${ROLE};
      GRANT UPDATE (reference) ON credit_notes TO ${ROLE};

      ALTER TABLE credit_entries
        DROP CONSTRAINT credit_entries_kind_check,
        ADD CONSTRAINT credit_entries_kind_check CHECK (kind IN
          ('hold', 'adjustment', 'release', 'repayment', 'reversal', 'credit')) NOT VALID;
    `);
  }
}
