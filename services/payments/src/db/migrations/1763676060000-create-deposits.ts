import type { QueryRunner } from 'typeorm';
import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';

/** Money received, stored before it is understood, and what each deposit was used for. */
export class CreateDeposits1763676060000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
                              CHECK (status IN ('received', 'applied', 'unmatched')),
        -- Whose debt it paid, once that is known.
        user_id             uuid REFERENCES credit_balances,
        received_at         timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT deposits_once UNIQUE (payment_provider_id, clave_de_pago),
        CHECK ((status = 'applied') = (user_id IS NOT NULL))
      );
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

      -- Money that reached a receivable: from a deposit, or (deposit_id null) from a credit balance.
      CREATE TABLE allocations (
        id              uuid PRIMARY KEY,
        deposit_id      uuid REFERENCES deposits,
        receivable_id   uuid NOT NULL REFERENCES receivables,
        principal_cents bigint NOT NULL CHECK (principal_cents >= 0),
        interest_cents  bigint NOT NULL CHECK (interest_cents >= 0),
        iva_cents       bigint NOT NULL CHECK (iva_cents >= 0),
        created_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT allocations_once UNIQUE (deposit_id, receivable_id),
        CHECK (principal_cents + interest_cents + iva_cents > 0)
      );
      CREATE INDEX allocations_of_receivable ON allocations (receivable_id);

      ALTER TABLE receivable_entries ADD FOREIGN KEY (allocation_id) REFERENCES allocations;
      ALTER TABLE credit_balance_entries ADD FOREIGN KEY (deposit_id) REFERENCES deposits;
    `);
    for (const table of ['deposit_conflicts', 'allocations']) {
      await makeAppendOnly(runner, table, roleOf('payments'));
    }
  }
}
