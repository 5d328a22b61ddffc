import {
  CREATE_DATA_KEYS,
  CREATE_EVENT_OWNERS,
  LONG_LIVED_ROWS,
  CREATE_REFUSALS,
} from '@fiado/chassis/db/baseline.sql';

/** Tables of the first release. They are never edited: a change is a migration. */
export const transactionsBaseline = `
  ${CREATE_DATA_KEYS}
  ${CREATE_EVENT_OWNERS}
  ${CREATE_REFUSALS}

  -- wholesalers, customers and most of credit_lines are copies: accounts is their one writer.
  CREATE TABLE wholesalers (
    wholesaler_id             uuid PRIMARY KEY,
    version                   bigint NOT NULL,
    name                      text NOT NULL,
    minimum_transaction_cents bigint NOT NULL,
    commission_rate           numeric(9,6) NOT NULL,
    payment_term_days         integer NOT NULL,
    delivery_word_enabled     boolean NOT NULL,
    delivery_word_required    boolean NOT NULL,
    confirmation_required     boolean NOT NULL,
    delivery_overage_rate     numeric(9,6) NOT NULL,
    batch_enabled             boolean NOT NULL DEFAULT true,
    -- 0 is no limit.
    batch_items_per_day       integer NOT NULL DEFAULT 0,
    -- Not a copy: items that were accepted on batch_items_on, while there was a limit.
    batch_items               integer NOT NULL DEFAULT 0,
    batch_items_on            date,
    -- Not a copy: since when delivery words are on, so that \`fiado verify\` can tell an order that
    -- lost its word from one that was confirmed without.
    delivery_words_since      timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE credit_lines (
    corner_store_id uuid PRIMARY KEY,
    user_id         uuid NOT NULL,
    version         bigint NOT NULL,
    status          text NOT NULL,
    limit_cents     bigint NOT NULL CHECK (limit_cents >= 0),
    interest_rate   numeric(9,6) NOT NULL,
    phone_sealed    bytea NOT NULL,
    -- Being overdue is payments' fact, with a version of its own.
    overdue         boolean NOT NULL DEFAULT false,
    overdue_version bigint NOT NULL DEFAULT 0,
    -- The one column of this table that transactions itself writes.
    used_cents      bigint NOT NULL DEFAULT 0 CHECK (used_cents >= 0),
    -- Null is the installation's.
    time_zone       text
  ) WITH (fillfactor = 70);

  CREATE TABLE customers (
    wholesaler_id             uuid NOT NULL,
    corner_store_id           uuid NOT NULL REFERENCES credit_lines,
    external_id               text NOT NULL,
    -- Wrong codes in a day, given through the API and on pages.
    wrong_codes               integer NOT NULL DEFAULT 0,
    wrong_codes_since         timestamptz,
    page_wrong_codes          integer NOT NULL DEFAULT 0,
    page_wrong_codes_since    timestamptz,
    -- How often the wholesaler changed the phone. A code or word is good for the number that it was
    -- sent to, so it keeps the count of its time.
    phone_changes             integer NOT NULL DEFAULT 0,
    phone_held_until          timestamptz,
    -- A hold bounds the orders whose code or word went to a number of the hold: those with more
    -- changes than there were before it. Null counts as none.
    phone_changes_before_hold integer,
    PRIMARY KEY (wholesaler_id, corner_store_id),
    UNIQUE (wholesaler_id, external_id)
  );
  -- For the sums of each corner store.
  CREATE INDEX customers_corner_store ON customers (corner_store_id);

  CREATE TABLE credit_entries (
    id              uuid PRIMARY KEY DEFAULT uuidv7(),
    corner_store_id uuid NOT NULL REFERENCES credit_lines,
    transaction_id  uuid NOT NULL,
    kind            text NOT NULL
      CHECK (kind IN ('hold', 'adjustment', 'release', 'repayment', 'reversal')),
    amount_cents    bigint NOT NULL,
    -- What brought it about, where it is not the transaction itself: a payment.
    cause_id        uuid,
    created_at      timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX credit_entries_line ON credit_entries (corner_store_id, created_at);

  CREATE SEQUENCE incremental_ids AS bigint CACHE 20;

  -- Orders change four times, in weeks, and are kept.
  CREATE TABLE transactions (
    id                        uuid PRIMARY KEY,
    incremental_id            bigint NOT NULL UNIQUE,
    version                   bigint NOT NULL DEFAULT 1,
    wholesaler_id             uuid NOT NULL,
    wholesaler_transaction_id text,
    corner_store_id           uuid NOT NULL REFERENCES credit_lines,
    user_id                   uuid NOT NULL,
    status                    text NOT NULL CHECK (status IN ('pending-verification', 'on-hold',
      'delivery', 'in-payment-default', 'paid', 'cancelled', 'expired')),
    amount_cents              bigint NOT NULL CHECK (amount_cents > 0),
    interest_cents            bigint NOT NULL CHECK (interest_cents >= 0),
    iva_cents                 bigint NOT NULL CHECK (iva_cents >= 0),
    -- The rates that it was made with: a later change of the line's does not reach it.
    interest_rate             numeric(9,6) NOT NULL,
    iva_rate                  numeric(9,6) NOT NULL,
    commission_rate           numeric(9,6) NOT NULL,
    movement_date             timestamptz NOT NULL,
    delivery_date             timestamptz,
    payment_due_at            timestamptz NOT NULL,
    delivered_at              timestamptz,
    -- Whether its store confirms it on a page behind a link.
    linked                    boolean NOT NULL DEFAULT false,
    -- Who delivers a batch, by the wholesaler's own id.
    driver_id                 text,
    location_sealed           bytea,
    -- json, not jsonb: it is given back as it was sent.
    metadata                  json,
    -- What payments last said of its receivable, each with the version that orders it: whether it
    -- is paid, and what of the principal is owed; from the delivery on, that is what it uses.
    paid                      boolean NOT NULL DEFAULT false,
    owed_cents                bigint NOT NULL DEFAULT 0 CHECK (owed_cents >= 0),
    receivable_version        bigint NOT NULL DEFAULT 0,
    in_default                boolean NOT NULL DEFAULT false,
    default_version           bigint NOT NULL DEFAULT 0,
    created_at                timestamptz NOT NULL DEFAULT now(),
    -- When an order that nobody confirms, or nobody delivers, is given up.
    expires_at                timestamptz NOT NULL,
    -- When it was created or last changed, for listTransactions with updatedSince. A change is
    -- visible once it is committed, and a poll misses changes that are dated before its last position
    -- and committed after it. The time of the statement is nearer to the commit than now(), the start
    -- of the database transaction, which may have waited for a lock since.
    updated_at                timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The terms that its delivery uses. Null: the wholesaler's settings, and the installation's time
    -- zone.
    payment_term_days         smallint,
    delivery_overage_rate     numeric(9,6),
    -- payment_due_at is the end of this day in that time zone.
    payment_due_on            date,
    payment_time_zone         text
  ) WITH (${LONG_LIVED_ROWS});
  CREATE INDEX transactions_to_expire ON transactions (expires_at)
    WHERE status IN ('pending-verification', 'on-hold');
  -- A wholesaler's order is live once; a cancelled or expired one may be repeated.
  CREATE UNIQUE INDEX transactions_live_order
    ON transactions (wholesaler_id, wholesaler_transaction_id)
    WHERE wholesaler_transaction_id IS NOT NULL AND status NOT IN ('cancelled', 'expired');
  -- One index finds orders by the wholesaler's id of them, with their wholesaler and without.
  CREATE INDEX transactions_order_id
    ON transactions (wholesaler_transaction_id, wholesaler_id, created_at)
    WHERE wholesaler_transaction_id IS NOT NULL;
  CREATE INDEX transactions_line ON transactions (corner_store_id);
  -- For the pages of listTransactions: all, with a status, and with updatedSince.
  CREATE INDEX transactions_newest ON transactions (wholesaler_id, created_at, id);
  CREATE INDEX transactions_of_status ON transactions (wholesaler_id, status, created_at, id);
  CREATE INDEX transactions_changed ON transactions (wholesaler_id, updated_at, id);

  -- No statement finds a product line by its id: its transaction and position are the key, for
  -- logical replication too.
  CREATE TABLE product_lines (
    id             uuid NOT NULL DEFAULT uuidv7(),
    transaction_id uuid NOT NULL REFERENCES transactions,
    position       integer NOT NULL,
    external_sku   text NOT NULL,
    name           text NOT NULL,
    quantity       numeric(15,3) NOT NULL CHECK (quantity > 0),
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (transaction_id, position)
  );
  ALTER TABLE product_lines REPLICA IDENTITY USING INDEX product_lines_transaction_id_position_key;

  CREATE TABLE verifications (
    id               uuid PRIMARY KEY,
    transaction_id   uuid NOT NULL UNIQUE REFERENCES transactions,
    status           text NOT NULL CHECK (status IN ('pending', 'approved', 'cancelled')),
    code_salt        bytea NOT NULL,
    checks           integer NOT NULL DEFAULT 0,
    sends            integer NOT NULL,
    expires_at       timestamptz NOT NULL,
    approved_at      timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    page_code_salt   bytea,
    page_checks      integer NOT NULL DEFAULT 0,
    page_wrong_codes integer NOT NULL DEFAULT 0,
    phone_changes    integer NOT NULL DEFAULT 0
  ) WITH (${LONG_LIVED_ROWS});

  CREATE TABLE delivery_words (
    transaction_id      uuid PRIMARY KEY REFERENCES transactions,
    word_sealed         bytea NOT NULL,
    sends               integer NOT NULL,
    -- Of the word that was sent last, and of all.
    wrong_checks        integer NOT NULL DEFAULT 0,
    phone_changes       integer NOT NULL DEFAULT 0,
    wrong_checks_in_all integer NOT NULL DEFAULT 0
  ) WITH (${LONG_LIVED_ROWS});

  CREATE TABLE commissions (
    id             uuid PRIMARY KEY DEFAULT uuidv7(),
    transaction_id uuid NOT NULL REFERENCES transactions,
    rate           numeric(9,6) NOT NULL,
    amount_cents   bigint NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    voided_at      timestamptz
  );
  CREATE UNIQUE INDEX commissions_live ON commissions (transaction_id) WHERE voided_at IS NULL;

  CREATE TABLE invoices (
    id                  uuid PRIMARY KEY,
    transaction_id      uuid NOT NULL CONSTRAINT invoices_transaction UNIQUE REFERENCES transactions,
    discount_cents      bigint NOT NULL CHECK (discount_cents >= 0),
    -- json, not jsonb: it is given back as it was sent.
    products            json NOT NULL,
    status              text NOT NULL CHECK (status IN ('pending', 'issued', 'failed')),
    provider            text NOT NULL,
    provider_invoice_id text,
    failure_reason      text,
    created_at          timestamptz NOT NULL DEFAULT now(),
    issued_at           timestamptz,
    attempts            integer NOT NULL DEFAULT 0,
    next_attempt_at     timestamptz NOT NULL DEFAULT now(),
    last_error          text,
    provider_status     text,
    uuid                text,
    self_invoice_url    text
  );
  -- Due invoices are looked for every few seconds: the index is as small as they are few.
  CREATE INDEX invoices_due ON invoices (next_attempt_at) WHERE status = 'pending';
`;
