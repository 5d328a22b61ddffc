import { roleOf } from '@fiado/chassis/db/roles';

const ROLE = roleOf('transactions');

/** The tables of statements, as the migration `CreateStatements` makes them. It was merged and is not edited. */
export const CREATE_STATEMENTS = `
  -- When a wholesaler's lines are closed into a statement. A copy: accounts is the one writer.
  ALTER TABLE wholesalers ADD COLUMN settlement_every text NOT NULL DEFAULT 'weekly';

  -- One row, which the creation of the trigger of deliveries writes. A delivery has a line if and
  -- only if it is not older.
  CREATE TABLE settlement_start (
    at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX settlement_start_once ON settlement_start ((true));

  -- The lock of everything that changes a wholesaler's statements.
  CREATE TABLE settlement_heads (
    wholesaler_id uuid PRIMARY KEY,
    -- 0 before the first statement.
    last_number   integer NOT NULL CHECK (last_number >= 0),
    closed_until  timestamptz NOT NULL,
    -- What the next statement opens with: what the wholesaler owes the lender, else 0.
    carried_cents bigint NOT NULL CHECK (carried_cents <= 0)
  );

  CREATE TABLE settlement_lines (
    id               uuid PRIMARY KEY DEFAULT uuidv7(),
    wholesaler_id    uuid NOT NULL,
    kind             text NOT NULL,
    -- Of a delivery its order, of a credit note its row, of others the request of ops.
    source_id        uuid NOT NULL,
    transaction_id   uuid,
    -- Signed: what is owed to the wholesaler is positive.
    gross_cents      bigint NOT NULL CHECK (gross_cents <> 0),
    -- Signed as the gross. As the wholesaler agreed it: with or without IVA.
    commission_cents bigint NOT NULL,
    reason           text,
    recorded_at      timestamptz NOT NULL DEFAULT now(),
    -- Null: of the draft. No foreign key: it would be checked for each of 300,000 rows when a
    -- statement closes. verify compares.
    statement_id     uuid,
    UNIQUE (kind, source_id),
    CHECK (CASE kind
      WHEN 'delivery' THEN gross_cents > 0 AND commission_cents >= 0 AND transaction_id = source_id
      WHEN 'credit-note' THEN
        gross_cents < 0 AND commission_cents <= 0 AND transaction_id IS NOT NULL
      WHEN 'clawback' THEN
        gross_cents < 0 AND commission_cents <= 0 AND transaction_id IS NOT NULL
      WHEN 'adjustment' THEN commission_cents = 0
      ELSE false END)
  );
  CREATE INDEX settlement_lines_open ON settlement_lines (wholesaler_id, recorded_at)
    WHERE statement_id IS NULL;
  CREATE INDEX settlement_lines_closed ON settlement_lines (statement_id, id)
    WHERE statement_id IS NOT NULL;
  CREATE INDEX settlement_lines_corrections ON settlement_lines (transaction_id)
    WHERE kind <> 'delivery' AND transaction_id IS NOT NULL;

  CREATE TABLE statements (
    id                   uuid PRIMARY KEY DEFAULT uuidv7(),
    wholesaler_id        uuid NOT NULL,
    number               integer NOT NULL CHECK (number > 0),
    period_from          timestamptz NOT NULL,
    period_to            timestamptz NOT NULL CHECK (period_to > period_from),
    status               text NOT NULL CHECK (status IN ('closed', 'paid')),
    lines                integer NOT NULL CHECK (lines > 0),
    gross_cents          bigint NOT NULL,
    -- Without IVA.
    commission_cents     bigint NOT NULL,
    -- Whether the rate of a commission was meant without IVA or with it.
    commission_iva       text NOT NULL CHECK (commission_iva IN ('added', 'included')),
    iva_rate             numeric(9,6) NOT NULL CHECK (iva_rate >= 0),
    commission_iva_cents bigint NOT NULL,
    opening_cents        bigint NOT NULL CHECK (opening_cents <= 0),
    net_cents            bigint NOT NULL,
    due_cents            bigint NOT NULL,
    sha256               bytea NOT NULL CHECK (octet_length(sha256) = 32),
    closed_at            timestamptz NOT NULL DEFAULT now(),
    version              bigint NOT NULL DEFAULT 1,
    UNIQUE (wholesaler_id, number),
    UNIQUE (wholesaler_id, period_to),
    CHECK (net_cents = opening_cents + gross_cents - commission_cents - commission_iva_cents),
    CHECK (due_cents = greatest(net_cents, 0))
  );

  CREATE TABLE statement_payments (
    statement_id       uuid NOT NULL REFERENCES statements,
    number             integer NOT NULL CHECK (number > 0),
    bank_reference     text NOT NULL,
    -- Capital letters and digits of the reference: however it is spaced, it is the same.
    bank_reference_key text NOT NULL CHECK (bank_reference_key <> ''),
    paid_on            date NOT NULL,
    cents              bigint NOT NULL CHECK (cents > 0),
    paid_by            text NOT NULL,
    -- Null: one person was enough.
    approved_by        text,
    recorded_at        timestamptz NOT NULL DEFAULT now(),
    returned_at        timestamptz,
    return_reason      text,
    PRIMARY KEY (statement_id, number),
    -- Of a returned payment too: a transfer is sent again under another reference.
    CONSTRAINT statement_payments_reference UNIQUE (bank_reference_key),
    CHECK ((returned_at IS NULL) = (return_reason IS NULL))
  );
  CREATE UNIQUE INDEX statement_payments_live ON statement_payments (statement_id)
    WHERE returned_at IS NULL;

  -- Changes that wait for a second person, one for each target. The row goes when accounts tells
  -- the decision.
  CREATE TABLE waiting_changes (
    target_id         uuid PRIMARY KEY,
    change_request_id uuid NOT NULL UNIQUE,
    kind              text NOT NULL,
    payload           jsonb NOT NULL,
    requested_by      text NOT NULL,
    requested_at      timestamptz NOT NULL DEFAULT now()
  );
  -- Only what the service does; the triggers of triggers.sql.ts also bind the owner.
  REVOKE INSERT, UPDATE, DELETE ON settlement_start FROM ${ROLE};
  REVOKE DELETE ON settlement_heads FROM ${ROLE};
  REVOKE INSERT, UPDATE, DELETE ON settlement_lines FROM ${ROLE};
  GRANT INSERT (id, wholesaler_id, kind, source_id, transaction_id, gross_cents,
                commission_cents, reason, recorded_at) ON settlement_lines TO ${ROLE};
  GRANT UPDATE (statement_id, reason) ON settlement_lines TO ${ROLE};
  REVOKE UPDATE, DELETE ON statements FROM ${ROLE};
  GRANT UPDATE (status, version) ON statements TO ${ROLE};
  REVOKE UPDATE, DELETE ON statement_payments FROM ${ROLE};
  GRANT UPDATE (returned_at, return_reason) ON statement_payments TO ${ROLE};
  REVOKE UPDATE ON waiting_changes FROM ${ROLE};`;
