import type { QueryRunner } from 'typeorm';
import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';

export class CreateTransactions1760000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await createCreditLines(runner);
    await createOrders(runner);
    await makeAppendOnly(runner, 'credit_entries', roleOf('transactions'));
  }
}

/** wholesalers, customers and most of credit_lines are copies: accounts is their one writer. */
async function createCreditLines(runner: QueryRunner): Promise<void> {
  await runner.query(`
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
      delivery_overage_rate     numeric(9,6) NOT NULL
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
      used_cents      bigint NOT NULL DEFAULT 0 CHECK (used_cents >= 0)
    ) WITH (fillfactor = 70);

    CREATE TABLE customers (
      wholesaler_id   uuid NOT NULL,
      corner_store_id uuid NOT NULL REFERENCES credit_lines,
      external_id     text NOT NULL,
      PRIMARY KEY (wholesaler_id, corner_store_id),
      UNIQUE (wholesaler_id, external_id)
    );

    CREATE TABLE credit_entries (
      id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
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
  `);
}

async function createOrders(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE SEQUENCE incremental_ids AS bigint CACHE 20;

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
      -- Whether its store confirms it on a page behind a link (e6).
      linked                    boolean NOT NULL DEFAULT false,
      -- Who delivers a batch (e8), by the wholesaler's own id.
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
      expires_at                timestamptz NOT NULL
    );
    CREATE INDEX transactions_to_expire ON transactions (expires_at)
      WHERE status IN ('pending-verification', 'on-hold');
    -- A wholesaler's order is live once; a cancelled or expired one may be repeated.
    CREATE UNIQUE INDEX transactions_live_order ON transactions (wholesaler_id, wholesaler_transaction_id)
      WHERE wholesaler_transaction_id IS NOT NULL AND status NOT IN ('cancelled', 'expired');
    CREATE INDEX transactions_order ON transactions (wholesaler_id, wholesaler_transaction_id, created_at);
    CREATE INDEX transactions_line ON transactions (corner_store_id);
    CREATE INDEX transactions_newest ON transactions (wholesaler_id, created_at, id);

    CREATE TABLE product_lines (
      id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      transaction_id uuid NOT NULL REFERENCES transactions,
      position       integer NOT NULL,
      external_sku   text NOT NULL,
      name           text NOT NULL,
      quantity       numeric(15,3) NOT NULL CHECK (quantity > 0),
      created_at     timestamptz NOT NULL DEFAULT now(),
      updated_at     timestamptz NOT NULL DEFAULT now(),
      UNIQUE (transaction_id, position)
    );

    CREATE TABLE verifications (
      id             uuid PRIMARY KEY,
      transaction_id uuid NOT NULL UNIQUE REFERENCES transactions,
      status         text NOT NULL CHECK (status IN ('pending', 'approved', 'cancelled')),
      code_salt      bytea NOT NULL,
      checks         integer NOT NULL DEFAULT 0,
      sends          integer NOT NULL,
      expires_at     timestamptz NOT NULL,
      approved_at    timestamptz,
      created_at     timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE delivery_words (
      transaction_id uuid PRIMARY KEY REFERENCES transactions,
      word_sealed    bytea NOT NULL,
      sends          integer NOT NULL,
      wrong_checks   integer NOT NULL DEFAULT 0
    );

    CREATE TABLE commissions (
      id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      transaction_id uuid NOT NULL REFERENCES transactions,
      rate           numeric(9,6) NOT NULL,
      amount_cents   bigint NOT NULL,
      created_at     timestamptz NOT NULL DEFAULT now(),
      voided_at      timestamptz
    );
    CREATE UNIQUE INDEX commissions_live ON commissions (transaction_id) WHERE voided_at IS NULL;
  `);
}
