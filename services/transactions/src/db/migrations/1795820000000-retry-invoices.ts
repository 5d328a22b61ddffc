import type { QueryRunner } from 'typeorm';

/** The release before issues invoices from their jobs alone and reads none of these columns. */
export class RetryInvoices1795820000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoices
        ADD COLUMN attempts integer NOT NULL DEFAULT 0,
        ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN last_error text,
        ADD COLUMN provider_status text,
        ADD COLUMN uuid text,
        ADD COLUMN self_invoice_url text
    `);
  }
}
