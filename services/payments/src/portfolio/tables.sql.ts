// Tables that migrations made, and that are never edited: a change is a migration (CONTRIBUTING.md).

/** The books of each day, and the debts that were written off. */
export const CREATE_PORTFOLIO = `
  -- A row for each day that is in the books, in the time zone of the installation.
  CREATE TABLE portfolio_calendar (
    day       date PRIMARY KEY,
    -- Where the day before ended, whatever the time zone is by now.
    starts_at timestamptz NOT NULL,
    ends_at   timestamptz NOT NULL,
    filled_at timestamptz NOT NULL DEFAULT now(),
    CHECK (starts_at < ends_at)
  );

  -- Open debts that are not written off, as they were at the end of the day, by the days that
  -- they were late.
  CREATE TABLE portfolio_days (
    day             date NOT NULL REFERENCES portfolio_calendar,
    wholesaler_id   uuid NOT NULL,
    bucket          text NOT NULL CHECK (bucket IN ('0', '1-7', '8-30', '31-60', '61-90', '91+')),
    debts           integer NOT NULL CHECK (debts > 0),
    principal_cents bigint NOT NULL CHECK (principal_cents >= 0),
    interest_cents  bigint NOT NULL CHECK (interest_cents >= 0),
    iva_cents       bigint NOT NULL CHECK (iva_cents >= 0),
    PRIMARY KEY (day, wholesaler_id, bucket)
  );

  -- What changed them in the day. Payments less reversals, so that a day may be below zero.
  CREATE TABLE portfolio_flows (
    day                     date NOT NULL REFERENCES portfolio_calendar,
    wholesaler_id           uuid NOT NULL,
    delivered_principal_cents   bigint NOT NULL,
    delivered_interest_cents    bigint NOT NULL,
    delivered_iva_cents         bigint NOT NULL,
    credited_principal_cents    bigint NOT NULL,
    credited_interest_cents     bigint NOT NULL,
    credited_iva_cents          bigint NOT NULL,
    collected_principal_cents   bigint NOT NULL,
    collected_interest_cents    bigint NOT NULL,
    collected_iva_cents         bigint NOT NULL,
    written_off_principal_cents bigint NOT NULL,
    written_off_interest_cents  bigint NOT NULL,
    written_off_iva_cents       bigint NOT NULL,
    -- Of debts that were written off before.
    recovered_cents             bigint NOT NULL,
    -- Of collected and recovered, what came by deposit; the rest is money of credit balances.
    cash_cents                  bigint NOT NULL,
    PRIMARY KEY (day, wholesaler_id)
  );

  -- Debts by the week of their delivery, and what of them is unpaid that many days after they are
  -- due.
  CREATE TABLE portfolio_cohorts (
    week            date NOT NULL,
    wholesaler_id   uuid NOT NULL,
    age             integer NOT NULL,
    -- Delivered in the week so far.
    principal_cents bigint NOT NULL,
    -- Of it, debts that are that old by now.
    reached_cents   bigint NOT NULL,
    unpaid_cents    bigint NOT NULL,
    PRIMARY KEY (week, wholesaler_id, age)
  );

  -- Debts that the lender no longer counts on. They stay owed: what is paid later is recovered.
  CREATE TABLE write_offs (
    receivable_id      uuid PRIMARY KEY REFERENCES receivables,
    -- What was owed then.
    principal_cents    bigint NOT NULL CHECK (principal_cents >= 0),
    interest_cents     bigint NOT NULL CHECK (interest_cents >= 0),
    iva_cents          bigint NOT NULL CHECK (iva_cents >= 0),
    -- Entries up to this version of the receivable are from before.
    receivable_version bigint NOT NULL,
    reason             text NOT NULL,
    requested_by       text NOT NULL,
    approved_by        text,
    created_at         timestamptz NOT NULL
  );

  -- Write-offs that wait for a second person, whose decision accounts keeps.
  CREATE TABLE write_off_requests (
    receivable_id     uuid PRIMARY KEY REFERENCES receivables,
    change_request_id uuid NOT NULL UNIQUE,
    reason            text NOT NULL,
    requested_by      text NOT NULL,
    requested_at      timestamptz NOT NULL DEFAULT now()
  );
`;

/** What is owed at the end of a day, for the next one. */
export const CREATE_TOTALS = `
  CREATE TABLE portfolio_totals (
    wholesaler_id   uuid NOT NULL,
    -- Monday of the week of the delivery.
    week            date NOT NULL,
    due_on          date NOT NULL,
    -- The end of that day.
    due_at          timestamptz NOT NULL,
    is_written_off  boolean NOT NULL,
    -- Those that are owed, and what is owed of them.
    debts           integer NOT NULL,
    principal_cents bigint NOT NULL,
    interest_cents  bigint NOT NULL,
    iva_cents       bigint NOT NULL,
    -- Principal of all debts, paid ones too, while one of their ages is still to come.
    delivered_cents bigint NOT NULL,
    PRIMARY KEY (wholesaler_id, week, due_on, due_at, is_written_off)
  );

  -- One row: the end of which day the totals are of.
  CREATE TABLE portfolio_position (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    day         date NOT NULL,
    -- The midnight after it.
    ends_at     timestamptz NOT NULL,
    -- The debts of before are counted up to this id; null: none is.
    counted_to  uuid,
    is_complete boolean NOT NULL DEFAULT false
  );
`;
