import type { QueryRunner } from 'typeorm';

/** What credit notes take off a debt, by part, and the rows of the ledgers that do it. */
export class CreditReceivables1795700000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE receivables
        ADD COLUMN credited_principal_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN credited_interest_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN credited_iva_cents bigint NOT NULL DEFAULT 0,
        DROP CONSTRAINT receivables_check,
        DROP CONSTRAINT receivables_check1,
        DROP CONSTRAINT receivables_check2,
        DROP CONSTRAINT paid_at_says_whether_paid,
        ADD CONSTRAINT receivables_principal CHECK (credited_principal_cents >= 0
          AND paid_principal_cents BETWEEN 0 AND principal_cents - credited_principal_cents) NOT VALID,
        ADD CONSTRAINT receivables_interest CHECK (credited_interest_cents >= 0
          AND paid_interest_cents BETWEEN 0 AND interest_cents - credited_interest_cents) NOT VALID,
        ADD CONSTRAINT receivables_iva CHECK (credited_iva_cents >= 0
          AND paid_iva_cents BETWEEN 0 AND iva_cents - credited_iva_cents) NOT VALID,
        -- Paid, credited, or both.
        ADD CONSTRAINT paid_at_means_nothing_is_owed CHECK ((paid_at IS NOT NULL) =
          (paid_principal_cents + paid_interest_cents + paid_iva_cents
             + credited_principal_cents + credited_interest_cents + credited_iva_cents
             = principal_cents + interest_cents + iva_cents)) NOT VALID;

      ALTER TABLE receivable_entries
        -- In transactions, whose credit note it is.
        ADD COLUMN credit_note_id uuid,
        DROP CONSTRAINT receivable_entries_cause_check,
        DROP CONSTRAINT receivable_entries_check,
        ADD CONSTRAINT receivable_entries_cause_check
          CHECK (cause IN ('opened', 'payment', 'reversal', 'credit')) NOT VALID,
        ADD CONSTRAINT entry_names_its_allocation
          CHECK ((cause IN ('opened', 'credit')) = (allocation_id IS NULL)) NOT VALID,
        ADD CONSTRAINT entry_names_its_credit_note
          CHECK ((cause = 'credit') = (credit_note_id IS NOT NULL)) NOT VALID;

      ALTER TABLE notices
        DROP CONSTRAINT notices_kind_check,
        ADD CONSTRAINT notices_kind_check CHECK (kind IN ('delivered', 'payment-received',
          'payment-reversed', 'payment-due', 'payment-overdue', 'order-credited')) NOT VALID;
    `);
  }
}
