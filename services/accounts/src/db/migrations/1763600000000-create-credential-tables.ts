import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

/** Who may call (wholesalers, payment providers, their keys) and what was done (audit_log). */
export class CreateCredentialTables1763600000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wholesalers (
        id                        uuid PRIMARY KEY,
        name                      text NOT NULL,
        minimum_transaction_cents bigint NOT NULL CHECK (minimum_transaction_cents >= 0),
        commission_rate           numeric(9, 6) NOT NULL CHECK (commission_rate >= 0),
        payment_term_days         integer NOT NULL CHECK (payment_term_days >= 0),
        delivery_word_enabled     boolean NOT NULL,
        delivery_word_required    boolean NOT NULL,
        confirmation_required     boolean NOT NULL,
        delivery_overage_rate     numeric(9, 6) NOT NULL CHECK (delivery_overage_rate >= 0),
        version                   bigint NOT NULL DEFAULT 1,
        created_at                timestamptz NOT NULL DEFAULT now(),
        updated_at                timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE payment_providers (
        id         uuid PRIMARY KEY,
        name       text NOT NULL,
        time_zone  text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payment_providers_name_key UNIQUE (name)
      );

      CREATE TABLE api_keys (
        id                  uuid PRIMARY KEY,
        kind                text NOT NULL,
        wholesaler_id       uuid REFERENCES wholesalers,
        payment_provider_id uuid REFERENCES payment_providers,
        key_hash            bytea NOT NULL,
        scopes              text[] NOT NULL DEFAULT '{}',
        expires_at          timestamptz,
        revoked_at          timestamptz,
        last_used_at        timestamptz,
        created_at          timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
        -- A key belongs to exactly the one party that its kind names.
        CHECK ((kind = 'wholesaler' AND wholesaler_id IS NOT NULL AND payment_provider_id IS NULL)
            OR (kind = 'provider' AND payment_provider_id IS NOT NULL AND wholesaler_id IS NULL))
      );

      CREATE TABLE audit_log (
        id          uuid PRIMARY KEY,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        actor_kind  text NOT NULL,
        actor_id    text NOT NULL,
        action      text NOT NULL,
        object_id   uuid NOT NULL,
        -- Never personal data: this table cannot forget.
        details     jsonb NOT NULL
      );
      CREATE INDEX audit_log_object ON audit_log (object_id, occurred_at);
    `);
    await makeAppendOnly(runner, 'audit_log', roleOf('accounts'));
  }
}
