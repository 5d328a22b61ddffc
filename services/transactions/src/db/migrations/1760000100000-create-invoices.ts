import type { QueryRunner } from 'typeorm';

export class CreateInvoices1760000100000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoices (
        id                  uuid PRIMARY KEY,
        transaction_id      uuid NOT NULL CONSTRAINT invoices_transaction UNIQUE REFERENCES transactions,
        discount_cents      bigint NOT NULL CHECK (discount_cents >= 0),
        -- json, not jsonb: it is given back as it was sent.
        products            json NOT NULL,
        status              text NOT NULL CHECK (status IN ('pending', 'issued', 'failed')),
        provider            text NOT NULL,
        provider_invoice_id text,
        failure_reason      text,
        created_at          timestamptz NOT NULL DEFAULT now(),
        issued_at           timestamptz
      );
    `);
  }
}
