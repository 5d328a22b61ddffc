import type { QueryRunner } from 'typeorm';

/** Users, their corner stores, whose customers those are, and the verifications of their phones. */
export class CreateCornerStoreTables1763600001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id          uuid PRIMARY KEY,
        first_name  bytea NOT NULL,
        last_names  bytea NOT NULL,
        phone       bytea NOT NULL,
        phone_index bytea NOT NULL,
        latitude    bytea,
        longitude   bytea,
        contacts    bytea,
        -- json, not jsonb: kept as it was sent.
        metadata    json,
        created_at  timestamptz NOT NULL DEFAULT now(),
        updated_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_phone_index_key UNIQUE (phone_index)
      );

      CREATE TABLE corner_stores (
        id                 uuid PRIMARY KEY,
        user_id            uuid NOT NULL UNIQUE REFERENCES users,
        status             text NOT NULL DEFAULT 'pre-approved'
                           CHECK (status IN ('pre-approved', 'in-manual-validation', 'approved')),
        credit_limit_cents bigint NOT NULL CHECK (credit_limit_cents >= 0),
        interest_rate      numeric(9, 6) NOT NULL CHECK (interest_rate >= 0),
        rejection_reason   text,
        -- Of payments' events; ordered by their version, not by ours.
        overdue            boolean NOT NULL DEFAULT false,
        overdue_version    bigint NOT NULL DEFAULT 0,
        version            bigint NOT NULL DEFAULT 1,
        created_at         timestamptz NOT NULL DEFAULT now(),
        updated_at         timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX corner_stores_newest ON corner_stores (created_at DESC, id DESC);

      CREATE TABLE customers (
        wholesaler_id   uuid NOT NULL REFERENCES wholesalers,
        corner_store_id uuid NOT NULL REFERENCES corner_stores,
        external_id     text NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (wholesaler_id, corner_store_id),
        CONSTRAINT customers_external_id_key UNIQUE (wholesaler_id, external_id)
      );
      CREATE INDEX customers_corner_store ON customers (corner_store_id);

      CREATE TABLE verifications (
        id            uuid PRIMARY KEY,
        user_id       uuid NOT NULL REFERENCES users,
        wholesaler_id uuid NOT NULL REFERENCES wholesalers,
        phone         bytea NOT NULL,
        phone_index   bytea NOT NULL,
        status        text NOT NULL DEFAULT 'pending'
                      CHECK (status IN ('pending', 'approved', 'cancelled')),
        code_salt     bytea NOT NULL,
        checks        integer NOT NULL DEFAULT 0,
        sends         integer NOT NULL DEFAULT 1,
        expires_at    timestamptz NOT NULL,
        approved_at   timestamptz,
        created_at    timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX verifications_user ON verifications (user_id, wholesaler_id);
    `);
  }
}
