import type { QueryRunner } from 'typeorm';

/** The store of a credit note, which its order has too: a timeline finds the notes of a store by it. */
export class NameStoresOfCreditNotes1797300001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- It refuses the change below. The migration makes it again, with the new column.
      DROP TRIGGER IF EXISTS keep_credit_note ON credit_notes;
      ALTER TABLE credit_notes ADD COLUMN corner_store_id uuid;
      UPDATE credit_notes note SET corner_store_id = t.corner_store_id
        FROM transactions t WHERE t.id = note.transaction_id;
      ALTER TABLE credit_notes ALTER COLUMN corner_store_id SET NOT NULL;
    `);
  }
}
