import type { QueryRunner } from 'typeorm';
import { roleOf } from '@fiado/chassis/db/roles';

/**
 * Being overdue. `receivables.in_default` says it once more, for two reasons: the look for defaults
 * and a payment both hold the receivable's row and so both see it as it is now, which a look into
 * another table would not; and the index of what is left to look at stays small.
 */
export class CreatePaymentDefaults1763678000000 {
  async up(runner: QueryRunner): Promise<void> {
    const role = roleOf('payments');
    await runner.query(`
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
      CREATE INDEX payment_defaults_of_wholesaler
        ON payment_defaults (wholesaler_id, opened_at DESC, id DESC);
      -- A default is history: all that may happen to it is that it is paid.
      REVOKE UPDATE, DELETE ON payment_defaults FROM ${role};
      GRANT UPDATE (paid_at) ON payment_defaults TO ${role};

      ALTER TABLE receivables
        ADD COLUMN in_default boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT paid_is_not_in_default CHECK (NOT (in_default AND paid_at IS NOT NULL));
      CREATE INDEX receivables_to_look_at ON receivables (due_at)
        WHERE paid_at IS NULL AND NOT in_default;
      CREATE INDEX receivables_in_default ON receivables (corner_store_id, due_at)
        WHERE in_default;
      CREATE INDEX receivables_of_corner_store ON receivables (corner_store_id);

      -- Orders what is told of a corner store's defaults.
      CREATE TABLE overdue_versions (
        corner_store_id uuid PRIMARY KEY,
        version         bigint NOT NULL
      );
    `);
  }
}
