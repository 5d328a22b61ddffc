import { migration } from '@fiado/chassis/db/migration';

/** The newest migrations, all of invoices. Later ones of other tables follow in schema.ts. */
export const invoiceMigrations: Function[] = [
  migration(
    'AddInvoiceIssuers1799502000000',
    `
      CREATE TABLE invoice_issuers (
        wholesaler_id        uuid PRIMARY KEY REFERENCES wholesalers,
        provider             text NOT NULL CHECK (provider IN ('facturapi')),
        api_key_sealed       bytea NOT NULL,
        -- A key of c_FormaPago.
        receipt_payment_form text NOT NULL CHECK (receipt_payment_form <> '99'),
        updated_at           timestamptz NOT NULL DEFAULT now()
      );
      -- Whether its wholesaler's own issuer issues it.
      ALTER TABLE invoices ADD COLUMN has_own_issuer boolean NOT NULL DEFAULT false`,
  ),
  migration(
    'NameReceivers1799508000000',
    `
      ALTER TABLE invoices
        ADD COLUMN receiver text CHECK (receiver IN ('profile', 'public')),
        -- Null before the first attempt, and of an invoice of before: a receipt.
        ADD COLUMN kind text CHECK (kind IN ('invoice', 'receipt')),
        -- The tax profile in whose name it is.
        ADD COLUMN receiver_sealed bytea`,
  ),
  migration(
    'KeepInvoiceFiles1799509000000',
    `
      -- The XML of a stamped invoice. It stays when its invoice is replaced.
      CREATE TABLE invoice_files (
        id             uuid PRIMARY KEY,
        transaction_id uuid NOT NULL REFERENCES transactions,
        uuid           text NOT NULL,
        xml_sealed     bytea NOT NULL,
        sha256         bytea NOT NULL CHECK (length(sha256) = 32),
        stored_at      timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX invoice_files_transaction ON invoice_files (transaction_id)`,
  ),
];
