import { indexMigration, migration } from '@fiado/chassis/db/migration';

/** Issuers, receivers and files of invoices. */
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

/** Invoices that are cancelled by hand, the webhooks of their issuers, and their lists. */
export const laterInvoiceMigrations: Function[] = [
  // For files that are old enough to be deleted.
  indexMigration('IndexInvoiceFilesByTime1799532000000', {
    invoice_files_by_time: 'ON invoice_files (stored_at)',
  }),
  migration(
    'CancelInvoicesByHand1799540000000',
    `
      ALTER TABLE invoices
        DROP CONSTRAINT invoices_cancellation_check,
        ADD CONSTRAINT invoices_cancellation_check
          CHECK (cancellation IN ('none', 'requested', 'accepted', 'rejected', 'expired')),
        -- A key of c_Motivo, where a person asked for the newest cancellation.
        ADD COLUMN cancel_motive text CHECK (cancel_motive IN ('01', '02', '03', '04')),
        ADD COLUMN substitution_uuid text,
        -- The release before would drop such a request where the order is not exceeded.
        ADD CONSTRAINT invoices_cancelled_by_hand
          CHECK (cancel_motive IS NULL OR cancellation <> 'none')`,
  ),
  migration(
    'SealWebhookSecrets1799541000000',
    'ALTER TABLE invoice_issuers ADD COLUMN webhook_secret_sealed bytea',
  ),
  // Those that were final when wholesalers were first named name nobody.
  migration(
    'NameWholesalersOfFinalInvoices1799542000000',
    `
      UPDATE invoices SET wholesaler_id = t.wholesaler_id FROM transactions t
       WHERE t.id = transaction_id AND invoices.wholesaler_id <> t.wholesaler_id`,
  ),
  indexMigration('IndexInvoices1799542000100', {
    invoices_of_wholesaler: 'ON invoices (wholesaler_id, created_at, id)',
    invoices_by_time: 'ON invoices (created_at, id)',
    invoices_failed: `ON invoices (created_at, id) WHERE status = 'failed'`,
  }),
];
