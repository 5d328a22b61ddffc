import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

/**
 * Payouts of credit balances, and recoveries: what a store owes because money that was paid out to
 * it, or that it spent, was taken back. New constraints of the ledger are NOT VALID, so that its
 * rows are not scanned under the lock.
 */
export class PayOutCreditBalances1798550003000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        -- requested: the amount is reserved, and a second person decides. cancelled: rejected, or
        -- the money of the balance was taken back before the decision.
        status              text NOT NULL
          CHECK (status IN ('requested', 'paid', 'cancelled', 'returned')),
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

      ALTER TABLE credit_balance_entries
        ADD COLUMN payout_id uuid,
        ADD COLUMN recovery_id uuid,
        ADD CONSTRAINT entry_of_a_payout
          FOREIGN KEY (payout_id) REFERENCES payouts NOT VALID,
        ADD CONSTRAINT entry_of_a_recovery
          FOREIGN KEY (recovery_id) REFERENCES recoveries NOT VALID,
        DROP CONSTRAINT credit_balance_entries_cause_check,
        ADD CONSTRAINT credit_balance_entries_cause_check CHECK (cause IN
          ('surplus', 'spent', 'returned', 'reversal', 'unassigned', 'payout', 'payout-cancelled',
           'payout-returned', 'recovery')) NOT VALID,
        ADD CONSTRAINT entry_names_its_payout
          CHECK ((cause LIKE 'payout%') = (payout_id IS NOT NULL)) NOT VALID,
        ADD CONSTRAINT entry_names_its_recovery
          CHECK ((cause = 'recovery') = (recovery_id IS NOT NULL)) NOT VALID;
    `);
    await makeAppendOnly(runner, 'recovery_entries', roleOf('payments'));
  }
}
