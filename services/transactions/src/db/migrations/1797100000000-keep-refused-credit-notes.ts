import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

const ROLE = roleOf('transactions');

/** Credit notes that a wholesaler asked for and did not get, so that it learns of them. */
export class KeepRefusedCreditNotes1797100000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refused_credit_notes (
        change_request_id uuid PRIMARY KEY,
        transaction_id    uuid NOT NULL REFERENCES transactions,
        principal_cents   bigint NOT NULL CHECK (principal_cents > 0),
        reason            text NOT NULL
                          CHECK (reason IN ('return', 'damaged', 'missing', 'price', 'other')),
        -- The wholesaler's own id of it.
        reference         text,
        -- replaced: another note of the order was booked at once.
        status            text NOT NULL
                          CHECK (status IN ('rejected', 'expired', 'failed', 'replaced')),
        -- The code of the error with which an approved note failed.
        failure           text,
        requested_at      timestamptz NOT NULL,
        decided_at        timestamptz NOT NULL DEFAULT now(),
        CHECK ((failure IS NOT NULL) = (status = 'failed'))
      );
      CREATE INDEX refused_credit_notes_of_order ON refused_credit_notes (transaction_id);
      -- Kept as it is; its reference may be erased.
      REVOKE UPDATE, DELETE ON refused_credit_notes FROM ${ROLE};
      GRANT UPDATE (reference) ON refused_credit_notes TO ${ROLE};
    `);
  }
}
