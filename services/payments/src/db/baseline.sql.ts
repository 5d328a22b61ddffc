import { CREATE_EVENT_OWNERS, LONG_LIVED_ROWS } from '@fiado/chassis/db/baseline.sql';
import { roleOf } from '@fiado/chassis/db/roles';

const ROLE = roleOf('payments');

/**
 * Tables of the first release. They are never edited: a change is a migration.
 *
 * What users owe, and the credit balance of money they paid beyond it. Each row of a current state
 * (credit_balances, receivables, recoveries) has its ledger, keyed by the version that the entry
 * made: so two writers that both saw version 4 cannot both write version 5, even if a lock were
 * forgotten.
 *
 * Constraints that are NOT VALID hold for every new row. Databases of version 0.1.0 have them so,
 * because their tables were not scanned under a lock.
 */
export const paymentsBaseline = `
  ${CREATE_EVENT_OWNERS}

  CREATE SEQUENCE numero_referencia_numbers MAXVALUE 99999999999;
  CREATE SEQUENCE id_factura_numbers MAXVALUE 999999999999;

  -- The key by which payment references are not consecutive: 244 random bits, in one row.
  CREATE TABLE reference_key (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    key     bytea NOT NULL
  );
  INSERT INTO reference_key (key)
  SELECT decode(replace(gen_random_uuid()::text || gen_random_uuid(), '-', ''), 'hex');
  REVOKE INSERT, UPDATE, DELETE ON reference_key FROM ${ROLE};

  -- When each payment provider looked references up: one row for each provider.
  CREATE TABLE reference_lookups (
    payment_provider_id uuid PRIMARY KEY,
    -- The last ones, oldest first; as many as a minute allows.
    looked_up_at        timestamptz[] NOT NULL
  );

  -- One row for each user, made with the first receivable: also the lock of all the user owes.
  CREATE TABLE credit_balances (
    user_id           uuid PRIMARY KEY,
    corner_store_id   uuid NOT NULL CONSTRAINT credit_balances_corner_store UNIQUE,
    numero_referencia text NOT NULL UNIQUE,
    balance_cents     bigint NOT NULL DEFAULT 0 CHECK (balance_cents >= 0),
    version           bigint NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE receivables (
    id                   uuid PRIMARY KEY,
    transaction_id       uuid NOT NULL UNIQUE,
    wholesaler_id        uuid NOT NULL,
    corner_store_id      uuid NOT NULL,
    user_id              uuid NOT NULL REFERENCES credit_balances,
    external_id          text NOT NULL,
    id_factura           text NOT NULL UNIQUE,
    principal_cents      bigint NOT NULL CHECK (principal_cents >= 0),
    interest_cents       bigint NOT NULL CHECK (interest_cents >= 0),
    iva_cents            bigint NOT NULL CHECK (iva_cents >= 0),
    paid_principal_cents bigint NOT NULL DEFAULT 0,
    paid_interest_cents  bigint NOT NULL DEFAULT 0,
    paid_iva_cents       bigint NOT NULL DEFAULT 0,
    due_at               timestamptz NOT NULL,
    version              bigint NOT NULL,
    paid_at              timestamptz,
    opened_at            timestamptz NOT NULL DEFAULT now(),
    -- As payment_defaults, for two reasons: the look for defaults and a payment both hold this row
    -- and so both see it as it is now, which a look into another table would not; and the index of
    -- what is left to look at stays small.
    in_default           boolean NOT NULL DEFAULT false,
    -- The last day to pay, in the time zone that its order keeps; due_at is its end. Both null: due_at
    -- is the end of a day of the installation.
    due_on               date,
    time_zone            text,
    CHECK (paid_principal_cents BETWEEN 0 AND principal_cents),
    CHECK (paid_interest_cents BETWEEN 0 AND interest_cents),
    CHECK (paid_iva_cents BETWEEN 0 AND iva_cents),
    CONSTRAINT paid_at_says_whether_paid CHECK ((paid_at IS NOT NULL) =
      (paid_principal_cents + paid_interest_cents + paid_iva_cents
         = principal_cents + interest_cents + iva_cents)),
    CONSTRAINT paid_is_not_in_default CHECK (NOT (in_default AND paid_at IS NOT NULL))
  ) WITH (${LONG_LIVED_ROWS});
  CREATE INDEX receivables_open ON receivables (user_id) WHERE paid_at IS NULL;
  -- A reversal looks at all receivables of a user, paid ones too.
  CREATE INDEX receivables_of_user ON receivables (user_id);
  CREATE INDEX receivables_of_corner_store ON receivables (corner_store_id);
  CREATE INDEX receivables_to_look_at ON receivables (due_at) WHERE paid_at IS NULL AND NOT in_default;
  CREATE INDEX receivables_in_default ON receivables (corner_store_id, due_at) WHERE in_default;
  -- For ops' lists: newest first, open ones by their last day, of all wholesalers and of one, and the
  -- open ones that owe the amount of a deposit. The expression is OUTSTANDING of
  -- debts/receivable.ts.
  CREATE INDEX receivables_newest ON receivables (opened_at DESC, id DESC);
  CREATE INDEX receivables_newest_of_wholesaler
    ON receivables (wholesaler_id, opened_at DESC, id DESC);
  CREATE INDEX receivables_due ON receivables (due_at, id) WHERE paid_at IS NULL;
  CREATE INDEX receivables_due_of_wholesaler ON receivables (wholesaler_id, due_at, id)
    WHERE paid_at IS NULL;
  CREATE INDEX receivables_outstanding ON receivables (
      (principal_cents + interest_cents + iva_cents
       - paid_principal_cents - paid_interest_cents - paid_iva_cents), due_at, id)
    WHERE paid_at IS NULL;

  -- Money received, stored before it is understood.
  CREATE TABLE deposits (
    id                  uuid PRIMARY KEY,
    payment_provider_id uuid NOT NULL,
    provider_name       text NOT NULL,
    id_factura          text NOT NULL,
    numero_referencia   text NOT NULL,
    valor_cents         bigint NOT NULL CHECK (valor_cents > 0),
    fecha_pago          text NOT NULL,
    paid_at             timestamptz NOT NULL,
    clave_de_pago       text NOT NULL,
    -- Of the five values, so that a repetition is told from a contradiction.
    body_hash           bytea NOT NULL,
    body                text NOT NULL,
    status              text NOT NULL DEFAULT 'received'
                        CHECK (status IN ('received', 'applied', 'unmatched', 'reversed')),
    -- Whose debt it paid, once that is known; a reversed deposit keeps it.
    user_id             uuid REFERENCES credit_balances,
    received_at         timestamptz NOT NULL DEFAULT now(),
    unmatched_reason    text,
    -- How often it was unassigned, so that each decision, allocation and message happens once between
    -- two of them.
    unassignments       integer NOT NULL DEFAULT 0,
    CONSTRAINT deposits_once UNIQUE (payment_provider_id, clave_de_pago),
    CONSTRAINT applied_to_a_user CHECK (status <> 'applied' OR user_id IS NOT NULL)
  ) WITH (${LONG_LIVED_ROWS});
  ALTER TABLE deposits ADD CONSTRAINT deposits_unmatched_reason_check CHECK (unmatched_reason IN
    ('unknown', 'ambiguous', 'above-ceiling', 'unassigned')) NOT VALID;
  CREATE INDEX deposits_newest ON deposits (received_at DESC, id DESC);
  CREATE INDEX deposits_to_do ON deposits (status, received_at DESC, id DESC)
    WHERE status <> 'applied';

  -- Another body under a known key: refused, and kept for ops to ask the provider about.
  CREATE TABLE deposit_conflicts (
    deposit_id  uuid NOT NULL REFERENCES deposits,
    body_hash   bytea NOT NULL,
    body        text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (deposit_id, body_hash)
  );

  -- What ops decides on deposits: to assign an unmatched one, to unassign or to reverse one by new
  -- rows.
  CREATE TABLE deposit_decisions (
    deposit_id      uuid NOT NULL REFERENCES deposits,
    decision        text NOT NULL CHECK (decision IN ('assigned', 'unassigned', 'reversed')),
    decided_by      text NOT NULL,
    -- Of an unassigned one, the store that loses it.
    corner_store_id uuid,
    reason          text,
    decided_at      timestamptz NOT NULL DEFAULT now(),
    unassignments   integer NOT NULL DEFAULT 0,
    -- Of an assignment that one person made: the amount of the deposit. Null where it is not known
    -- whether a person or a key decided.
    alone_cents     bigint CHECK (alone_cents > 0),
    -- Each decision can be taken once.
    PRIMARY KEY (deposit_id, decision, unassignments),
    CONSTRAINT decision_names_its_store CHECK ((decision = 'reversed') = (corner_store_id IS NULL)),
    CONSTRAINT decision_has_its_reason CHECK ((decision = 'assigned') = (reason IS NULL))
  );
  -- What single persons assigned to a corner store lately is summed with each assignment of a person.
  CREATE INDEX deposit_decisions_alone ON deposit_decisions (corner_store_id, decided_at)
    WHERE alone_cents IS NOT NULL;

  -- Changes of deposits that wait for a second person, whose decision accounts keeps.
  CREATE TABLE deposit_changes (
    deposit_id        uuid PRIMARY KEY REFERENCES deposits,
    change_request_id uuid NOT NULL UNIQUE,
    kind              text NOT NULL
                      CHECK (kind IN ('deposit.reverse', 'deposit.assign', 'deposit.unassign')),
    payload           jsonb NOT NULL,
    deposit_version   integer NOT NULL,
    requested_by      text NOT NULL,
    requested_at      timestamptz NOT NULL DEFAULT now()
  );

  -- Money that reached a receivable: from a deposit, or (deposit_id null) from a credit balance.
  CREATE TABLE allocations (
    id              uuid PRIMARY KEY,
    deposit_id      uuid REFERENCES deposits,
    receivable_id   uuid NOT NULL REFERENCES receivables,
    principal_cents bigint NOT NULL CHECK (principal_cents >= 0),
    interest_cents  bigint NOT NULL CHECK (interest_cents >= 0),
    iva_cents       bigint NOT NULL CHECK (iva_cents >= 0),
    created_at      timestamptz NOT NULL DEFAULT now(),
    unassignments   integer NOT NULL DEFAULT 0,
    CHECK (principal_cents + interest_cents + iva_cents > 0)
  );
  CREATE UNIQUE INDEX allocations_once_each
    ON allocations (deposit_id, receivable_id, unassignments);
  CREATE INDEX allocations_of_receivable ON allocations (receivable_id);

  CREATE TABLE receivable_entries (
    receivable_id   uuid NOT NULL REFERENCES receivables,
    version         bigint NOT NULL,
    cause           text NOT NULL CHECK (cause IN ('opened', 'payment', 'reversal')),
    allocation_id   uuid REFERENCES allocations,
    principal_cents bigint NOT NULL,
    interest_cents  bigint NOT NULL,
    iva_cents       bigint NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (receivable_id, version),
    CHECK ((cause = 'opened') = (allocation_id IS NULL))
  );
  CREATE INDEX receivable_entries_of_allocation ON receivable_entries (allocation_id);

  CREATE TABLE payouts (
    -- Also of the request that a second person decides.
    id                  uuid PRIMARY KEY,
    user_id             uuid NOT NULL REFERENCES credit_balances,
    corner_store_id     uuid NOT NULL,
    amount_cents        bigint NOT NULL CHECK (amount_cents > 0),
    bank_reference      text NOT NULL,
    -- In capitals, without what a bank's form may add.
    bank_reference_key  text NOT NULL CHECK (bank_reference_key <> ''),
    reason              text NOT NULL,
    -- requested: the amount is reserved, and a second person decides. cancelled: rejected, or the
    -- money of the balance was taken back before the decision.
    status              text NOT NULL CHECK (status IN ('requested', 'paid', 'cancelled', 'returned')),
    requested_by        text NOT NULL,
    requested_at        timestamptz NOT NULL DEFAULT now(),
    paid_at             timestamptz,
    returned_at         timestamptz,
    -- The request to book it back that waits for a second person.
    return_requested_id uuid UNIQUE,
    return_requested_by text,
    CHECK ((paid_at IS NOT NULL) = (status IN ('paid', 'returned'))),
    CHECK ((returned_at IS NOT NULL) = (status = 'returned')),
    CHECK ((return_requested_id IS NULL) = (return_requested_by IS NULL)),
    CHECK (return_requested_id IS NULL OR status = 'paid')
  );
  CREATE UNIQUE INDEX payouts_bank_reference ON payouts (bank_reference_key)
    WHERE status <> 'cancelled';
  CREATE INDEX payouts_of_store ON payouts (corner_store_id, id DESC);

  -- What a store owes because money that was paid out to it, or that it spent, was taken back.
  CREATE TABLE recoveries (
    id              uuid PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES credit_balances,
    corner_store_id uuid NOT NULL,
    -- The deposit that was taken back.
    deposit_id      uuid NOT NULL REFERENCES deposits,
    amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
    paid_cents      bigint NOT NULL DEFAULT 0 CHECK (paid_cents BETWEEN 0 AND amount_cents),
    version         bigint NOT NULL DEFAULT 1,
    -- It is due at once.
    opened_at       timestamptz NOT NULL
  );
  CREATE INDEX recoveries_open ON recoveries (user_id) WHERE paid_cents < amount_cents;

  CREATE TABLE recovery_entries (
    recovery_id uuid NOT NULL REFERENCES recoveries,
    version     bigint NOT NULL,
    cause       text NOT NULL CHECK (cause IN ('opened', 'payment', 'reversal')),
    -- What paid it; null for money of the credit balance.
    deposit_id  uuid REFERENCES deposits,
    cents       bigint NOT NULL CHECK (cents <> 0),
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (recovery_id, version)
  );
  CREATE INDEX recovery_entries_of_deposit ON recovery_entries (deposit_id);

  CREATE TABLE credit_balance_entries (
    user_id     uuid NOT NULL REFERENCES credit_balances,
    version     bigint NOT NULL,
    cause       text NOT NULL,
    deposit_id  uuid REFERENCES deposits,
    cents       bigint NOT NULL CHECK (cents <> 0),
    created_at  timestamptz NOT NULL DEFAULT now(),
    payout_id   uuid,
    recovery_id uuid,
    PRIMARY KEY (user_id, version)
  );
  ALTER TABLE credit_balance_entries
    ADD CONSTRAINT credit_balance_entries_cause_check CHECK (cause IN
      ('surplus', 'spent', 'returned', 'reversal', 'unassigned', 'payout', 'payout-cancelled',
       'payout-returned', 'recovery')) NOT VALID,
    ADD CONSTRAINT entry_of_a_payout FOREIGN KEY (payout_id) REFERENCES payouts NOT VALID,
    ADD CONSTRAINT entry_of_a_recovery FOREIGN KEY (recovery_id) REFERENCES recoveries NOT VALID,
    ADD CONSTRAINT entry_names_its_payout
      CHECK ((cause LIKE 'payout%') = (payout_id IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT entry_names_its_recovery
      CHECK ((cause = 'recovery') = (recovery_id IS NOT NULL)) NOT VALID;
  -- A payout leaves a balance once and comes back once; a recovery is opened once.
  CREATE UNIQUE INDEX credit_balance_entries_of_payout
    ON credit_balance_entries (payout_id, (cause = 'payout')) WHERE payout_id IS NOT NULL;
  CREATE UNIQUE INDEX credit_balance_entries_of_recovery
    ON credit_balance_entries (recovery_id) WHERE recovery_id IS NOT NULL;

  CREATE TABLE payment_defaults (
    id              uuid PRIMARY KEY,
    receivable_id   uuid NOT NULL REFERENCES receivables,
    wholesaler_id   uuid NOT NULL,
    corner_store_id uuid NOT NULL,
    user_id         uuid NOT NULL,
    external_id     text NOT NULL,
    -- What was outstanding when it was opened.
    amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
    -- The moment that it was looked at for: in a sandbox it may lie in the future.
    as_of           timestamptz NOT NULL,
    opened_at       timestamptz NOT NULL DEFAULT now(),
    paid_at         timestamptz
  );
  CREATE UNIQUE INDEX payment_defaults_open ON payment_defaults (receivable_id)
    WHERE paid_at IS NULL;
  -- For the lists of a wholesaler and of ops: of all wholesalers, open ones, and of a corner store.
  CREATE INDEX payment_defaults_of_wholesaler
    ON payment_defaults (wholesaler_id, opened_at DESC, id DESC);
  CREATE INDEX payment_defaults_newest ON payment_defaults (opened_at DESC, id DESC);
  CREATE INDEX payment_defaults_newest_open ON payment_defaults (opened_at DESC, id DESC)
    WHERE paid_at IS NULL;
  CREATE INDEX payment_defaults_of_corner_store
    ON payment_defaults (corner_store_id, opened_at DESC, id DESC);
  -- A default is history: all that may happen to it is that it is paid.
  REVOKE UPDATE, DELETE ON payment_defaults FROM ${ROLE};
  GRANT UPDATE (paid_at) ON payment_defaults TO ${ROLE};

  -- Orders what is told of a corner store's defaults.
  CREATE TABLE overdue_versions (
    corner_store_id uuid PRIMARY KEY,
    version         bigint NOT NULL
  );

  -- Messages to corner stores about their debts (ADR 16), kept for 90 days.
  CREATE TABLE notices (
    id              uuid PRIMARY KEY DEFAULT uuidv7(),
    kind            text NOT NULL,
    -- A receivable; of payment-received a deposit.
    subject_id      uuid NOT NULL,
    corner_store_id uuid NOT NULL,
    state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dropped')),
    -- Not looked at before: the store's next hours.
    not_before      timestamptz NOT NULL,
    decided_at      timestamptz,
    -- Of a notice about a deposit.
    unassignments   integer NOT NULL DEFAULT 0
  ) WITH (${LONG_LIVED_ROWS});
  ALTER TABLE notices ADD CONSTRAINT notices_kind_check CHECK (kind IN
    ('delivered', 'payment-received', 'payment-reversed', 'payment-due', 'payment-overdue')) NOT VALID;
  CREATE UNIQUE INDEX notices_once_each ON notices (subject_id, kind, unassignments);
  CREATE INDEX notices_waiting ON notices (not_before, id) WHERE state = 'waiting';
  CREATE INDEX notices_sent ON notices (corner_store_id, decided_at) WHERE state = 'sent';
  CREATE INDEX notices_decided ON notices (decided_at) WHERE decided_at IS NOT NULL;

  -- Zones of stores that have one.
  CREATE TABLE store_time_zones (
    corner_store_id uuid PRIMARY KEY,
    time_zone       text NOT NULL,
    version         bigint NOT NULL
  );
`;
