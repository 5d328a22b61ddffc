import type { QueryRunner } from 'typeorm';
import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';

/**
 * What users owe, and the credit balance of money they paid beyond it. Each row of the two current
 * states has its ledger, keyed by the version that the entry made: so two writers that both saw
 * version 4 cannot both write version 5, even if a lock were forgotten.
 */
export class CreateReceivables1763676000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE numero_referencia_numbers MAXVALUE 99999999999;
      CREATE SEQUENCE id_factura_numbers MAXVALUE 999999999999;

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
        CHECK (paid_principal_cents BETWEEN 0 AND principal_cents),
        CHECK (paid_interest_cents BETWEEN 0 AND interest_cents),
        CHECK (paid_iva_cents BETWEEN 0 AND iva_cents),
        CONSTRAINT paid_at_says_whether_paid CHECK ((paid_at IS NOT NULL) =
          (paid_principal_cents + paid_interest_cents + paid_iva_cents
             = principal_cents + interest_cents + iva_cents))
      );
      CREATE INDEX receivables_open ON receivables (user_id) WHERE paid_at IS NULL;

      CREATE TABLE receivable_entries (
        receivable_id   uuid NOT NULL REFERENCES receivables,
        version         bigint NOT NULL,
        cause           text NOT NULL CHECK (cause IN ('opened', 'payment')),
        allocation_id   uuid,
        principal_cents bigint NOT NULL,
        interest_cents  bigint NOT NULL,
        iva_cents       bigint NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (receivable_id, version),
        CHECK ((cause = 'opened') = (allocation_id IS NULL))
      );

      CREATE TABLE credit_balance_entries (
        user_id    uuid NOT NULL REFERENCES credit_balances,
        version    bigint NOT NULL,
        cause      text NOT NULL CHECK (cause IN ('surplus', 'spent')),
        deposit_id uuid,
        cents      bigint NOT NULL CHECK (cents <> 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, version)
      );
    `);
    for (const table of ['receivable_entries', 'credit_balance_entries']) {
      await makeAppendOnly(runner, table, roleOf('payments'));
    }
  }
}
