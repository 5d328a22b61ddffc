import type { QueryRunner } from 'typeorm';

/** Reads both tables, and stops no writer meanwhile. */
export class ValidateCreditedReceivables1795700001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE receivables
        VALIDATE CONSTRAINT receivables_principal,
        VALIDATE CONSTRAINT receivables_interest,
        VALIDATE CONSTRAINT receivables_iva,
        VALIDATE CONSTRAINT paid_at_means_nothing_is_owed;
      ALTER TABLE receivable_entries
        VALIDATE CONSTRAINT receivable_entries_cause_check,
        VALIDATE CONSTRAINT entry_names_its_allocation,
        VALIDATE CONSTRAINT entry_names_its_credit_note;
    `);
  }
}
