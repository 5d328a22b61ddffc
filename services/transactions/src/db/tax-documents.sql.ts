import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { afterFunctions } from '@fiado/chassis/db/triggers';

/** SQL: the cents that an invoice `i` bills, null of one without lines. Its prices are those of whole lines, with taxes. */
export const BILLED_CENTS = `(
  SELECT sum(round((line -> 'product' ->> 'price')::numeric * 100)) - i.discount_cents
    FROM json_array_elements(
      CASE json_typeof(i.products) WHEN 'array' THEN i.products ELSE '[]' END) line)::bigint`;

/** SQL: whether a tax document counts, or will: it is not given up and not cancelled. */
export const IS_LIVE = `status <> 'dropped' AND cancellation IN ('none', 'rejected')`;

/** SQL: whether a document waits for the provider. Its first row speaks for all. As in the index `tax_documents_waiting`. */
export const DOCUMENT_WAITS = `document_id = id
  AND (status = 'pending' OR status = 'issued' AND cancellation = 'requested')`;

/** Documents about an invoice or a statement. */
export const taxDocumentMigrations: Function[] = [
  migration(
    'AddTaxDocuments1799530000000',
    `
      CREATE TABLE tax_documents (
        id                   uuid PRIMARY KEY DEFAULT uuidv7(),
        kind                 text NOT NULL CHECK (kind IN ('payment', 'credit-note', 'commission')),
        wholesaler_id        uuid NOT NULL,
        statement_id         uuid,
        -- The transfer that paid the statement; null where nothing was due.
        payment_number       integer,
        transaction_id       uuid REFERENCES transactions,
        invoice_id           uuid,
        -- The first row of its document: a payment complement settles all invoices of a statement and a receiver.
        document_id          uuid NOT NULL,
        cents                bigint NOT NULL CHECK (cents > 0),
        -- What of it was not transferred.
        netted_cents         bigint NOT NULL CHECK (netted_cents BETWEEN 0 AND cents),
        provider             text NOT NULL,
        -- Dropped: it was taken back before the provider had it.
        status               text NOT NULL DEFAULT 'pending'
                             CHECK (status IN ('pending', 'issued', 'dropped')),
        cancellation         text NOT NULL DEFAULT 'none'
                             CHECK (cancellation IN ('none', 'requested', 'accepted', 'rejected')),
        provider_document_id text,
        provider_status      text,
        uuid                 text,
        attempts             integer NOT NULL DEFAULT 0,
        next_attempt_at      timestamptz NOT NULL DEFAULT now(),
        last_error           text,
        -- Whether the provider may have a pending one: the outcome of an attempt is unknown.
        may_exist            boolean NOT NULL DEFAULT false,
        created_at           timestamptz NOT NULL DEFAULT now(),
        issued_at            timestamptz,
        CHECK (kind <> 'payment' OR (statement_id, transaction_id, invoice_id) IS NOT NULL)
      );
      CREATE UNIQUE INDEX tax_documents_live_payment ON tax_documents (statement_id, invoice_id)
        WHERE kind = 'payment' AND ${IS_LIVE};
      CREATE INDEX tax_documents_waiting ON tax_documents (wholesaler_id, next_attempt_at, id)
        WHERE ${DOCUMENT_WAITS};
      CREATE INDEX tax_documents_statement ON tax_documents (statement_id) WHERE document_id = id;
      CREATE INDEX tax_documents_document ON tax_documents (document_id);
      CREATE INDEX tax_documents_transaction ON tax_documents (transaction_id)`,
  ),
];

/** Invoices of the lender for its commission. */
export const commissionMigrations: Function[] = [
  migration(
    'AddCommissionInvoices1799543000000',
    `
      CREATE TABLE wholesaler_tax_profiles (
        wholesaler_id uuid PRIMARY KEY REFERENCES wholesalers,
        rfc           text NOT NULL,
        legal_name    text NOT NULL,
        tax_regime    text NOT NULL,
        postal_code   text NOT NULL,
        cfdi_use      text NOT NULL,
        email         text,
        updated_at    timestamptz NOT NULL DEFAULT now()
      );
      -- A commission invoice is about no order.
      ALTER TABLE invoice_files ALTER COLUMN transaction_id DROP NOT NULL;
      CREATE UNIQUE INDEX tax_documents_commission ON tax_documents (statement_id) WHERE kind = 'commission'`,
  ),
];

/** Invoices whose row another one took the place of, and the series of issuers. */
export const replacedInvoiceMigrations: Function[] = [
  migration(
    'KeepReplacedInvoices1799560000000',
    `
      ALTER TABLE tax_documents
        DROP CONSTRAINT tax_documents_kind_check,
        DROP CONSTRAINT tax_documents_cents_check,
        ADD CONSTRAINT tax_documents_kind_check
          CHECK (kind IN ('payment', 'credit-note', 'commission', 'invoice')),
        ADD CONSTRAINT tax_documents_cents_check
          CHECK (cents > 0 OR cents = 0 AND kind = 'invoice');
      -- What those of before billed is in their files only.
      INSERT INTO tax_documents
        (id, kind, wholesaler_id, transaction_id, document_id, cents, netted_cents, provider, status,
         cancellation, provider_document_id, uuid, created_at, issued_at)
      SELECT f.id, 'invoice', t.wholesaler_id, t.id, f.id, 0, 0, 'facturapi', 'issued', 'accepted', '',
             f.uuid, f.stored_at, f.stored_at
        FROM invoice_files f JOIN transactions t ON t.id = f.transaction_id
       WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.id = f.id)
         AND NOT EXISTS (SELECT FROM tax_documents d WHERE d.id = f.id)`,
  ),
  migration(
    'NameSeriesOfIssuers1799560000100',
    'ALTER TABLE invoice_issuers ADD COLUMN series text',
  ),
  // For the export, and for the invoices that ops looks at.
  indexMigration('IndexTaxDocuments1799560000200', {
    tax_documents_by_time: 'ON tax_documents (created_at, id)',
    invoices_not_cancelled: `ON invoices (created_at, id) WHERE cancellation = 'rejected'`,
  }),
];

/** SQL, up to further conditions. One that the provider has never had is dropped then. */
const REQUEST_CANCELLATION = `
  UPDATE tax_documents
     SET cancellation = 'requested',
         next_attempt_at = CASE status WHEN 'issued' THEN now() ELSE next_attempt_at END
   WHERE cancellation = 'none' AND status <> 'dropped'`;

/**
 * Rows of payment complements, in the database transaction that settles (ADR 33): whichever process pays a statement or issues
 * an invoice, none is missed.
 */
export const TAX_DOCUMENT_FUNCTIONS = [
  // Of each invoice in somebody's name, the gross of its order that the statement settles: a delivery less the credit notes
  // beside it, and no more than the invoice bills. What of all deliveries was not transferred is netted, in proportion: shares
  // are cut from the running sum, so that they add up to the cent. A settled statement may be given again.
  `CREATE OR REPLACE FUNCTION write_payments(settled uuid, of_order uuid) RETURNS void
     LANGUAGE sql SET search_path FROM CURRENT AS $$
   WITH orders AS (
     SELECT transaction_id, sum(gross_cents) AS gross FROM settlement_lines
      WHERE statement_id = settled AND kind IN ('delivery', 'credit-note')
      GROUP BY transaction_id HAVING sum(gross_cents) > 0),
   sums AS (
     SELECT transaction_id, gross, sum(gross) OVER (ORDER BY transaction_id) AS up_to,
            sum(gross) OVER () AS whole
       FROM orders),
   shares AS (
     SELECT sums.transaction_id, gross, s.wholesaler_id, p.number,
            div(least(s.due_cents, whole) * up_to, whole)
              - div(least(s.due_cents, whole) * (up_to - gross), whole) AS transferred
       FROM sums JOIN statements s ON s.id = settled
       LEFT JOIN statement_payments p ON p.statement_id = s.id AND p.returned_at IS NULL),
   fresh AS MATERIALIZED (
     SELECT uuidv7() AS id, share.*, i.id AS invoice_id, i.provider, t.corner_store_id,
            least(gross, ${BILLED_CENTS}) AS cents
       FROM shares share
       JOIN invoices i ON i.transaction_id = share.transaction_id AND i.kind = 'invoice'
                      AND i.status = 'issued' AND i.cancellation <> 'accepted'
       JOIN transactions t ON t.id = share.transaction_id
      WHERE coalesce(share.transaction_id = of_order, true)
        AND i.id NOT IN (SELECT invoice_id FROM tax_documents
                          WHERE statement_id = settled AND kind = 'payment' AND ${IS_LIVE}))
   INSERT INTO tax_documents
     (id, kind, wholesaler_id, statement_id, payment_number, transaction_id, invoice_id, document_id,
      cents, netted_cents, provider)
   SELECT id, 'payment', wholesaler_id, settled, number, transaction_id, invoice_id,
          first_value(id) OVER (PARTITION BY corner_store_id ORDER BY id),
          cents, cents - div(transferred * cents, gross), provider
     FROM fresh WHERE cents > 0
   $$`,

  `CREATE OR REPLACE FUNCTION tax_document_resource(d tax_documents) RETURNS jsonb LANGUAGE sql STABLE
     SET search_path FROM CURRENT AS $$
   SELECT jsonb_build_object(
     'id', d.id, 'kind', d.kind, 'statementId', d.statement_id, 'status', d.status,
     'cancellation', d.cancellation, 'uuid', d.uuid, 'provider', d.provider, 'lastError', d.last_error,
     'createdAt', d.created_at, 'issuedAt', d.issued_at, 'cents', sum(part.cents),
     'nettedCents', sum(part.netted_cents),
     'transactionIds', jsonb_agg(part.transaction_id ORDER BY part.id))
     FROM tax_documents part WHERE part.document_id = d.id
   $$`,

  // The commission invoices of the deliveries of which a statement takes commission back.
  `CREATE OR REPLACE FUNCTION corrected_commissions(correcting uuid) RETURNS SETOF tax_documents
     LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
   SELECT * FROM tax_documents
    WHERE kind = 'commission' AND statement_id IN (
      SELECT delivery.statement_id FROM settlement_lines correction
        JOIN settlement_lines delivery
          ON delivery.kind = 'delivery' AND delivery.source_id = correction.transaction_id
       WHERE correction.statement_id = correcting AND correction.commission_cents < 0)
   $$`,

  ...afterFunctions({
    announce_tax_document: `
        PERFORM announce_event(owner,
            CASE NEW.kind WHEN 'payment' THEN 'invoice.payment-complement-issued'
                          ELSE 'invoice.credit-note-issued' END,
            NEW.id, NEW.attempts, tax_document_resource(NEW))
           FROM event_owners owner WHERE owner.owner_id = NEW.wholesaler_id;`,

    settle_invoices: `
        IF NEW.status = 'paid' THEN
          PERFORM write_payments(NEW.id, NULL);
        ELSE
          ${REQUEST_CANCELLATION} AND statement_id = NEW.id AND kind = 'payment';
        END IF;`,

    // An invoice that is issued late gets its row: the locks order it and the settling of its order, so that one sees the other. When
    // an invoice is cancelled, its complement is made anew for the other invoices, and its credit notes end.
    settle_invoice: `
      DECLARE
        settled uuid;
        state text;
      BEGIN
        IF NEW.cancellation = 'accepted' THEN
          ${REQUEST_CANCELLATION} AND transaction_id = NEW.transaction_id AND invoice_id = NEW.id
            AND kind = 'credit-note';
        END IF;
        SELECT statement_id INTO settled FROM settlement_lines
         WHERE kind = 'delivery' AND source_id = NEW.transaction_id FOR SHARE;
        SELECT status INTO state FROM statements WHERE id = settled FOR SHARE;
        IF state IS DISTINCT FROM 'paid' THEN
          RETURN NULL;
        END IF;
        IF NEW.cancellation <> 'accepted' THEN
          PERFORM write_payments(settled, NEW.transaction_id);
          RETURN NULL;
        END IF;
        ${REQUEST_CANCELLATION}
           AND document_id IN (SELECT document_id FROM tax_documents
                                WHERE transaction_id = NEW.transaction_id AND invoice_id = NEW.id
                                  AND kind = 'payment');
        IF FOUND THEN
          PERFORM write_payments(settled, NULL);
        END IF;
      END;`,

    // From the profile on: statements that closed before have none. One whose corrections take more commission back than it
    // has gets a credit note for invoices that exist. Its lines are there before it.
    bill_commission: `
      DECLARE
        billed bigint := NEW.commission_cents + NEW.commission_iva_cents;
      BEGIN
        INSERT INTO tax_documents (id, kind, wholesaler_id, statement_id, document_id, cents, netted_cents, provider)
        SELECT made.id, CASE WHEN billed > 0 THEN 'commission' ELSE 'credit-note' END, NEW.wholesaler_id, NEW.id,
               made.id, abs(billed), 0, 'lender'
          FROM (SELECT uuidv7() AS id) made
         WHERE EXISTS (SELECT FROM wholesaler_tax_profiles p WHERE p.wholesaler_id = NEW.wholesaler_id)
           AND (billed > 0 OR EXISTS (SELECT FROM corrected_commissions(NEW.id)));
      END;`,

    // A stamped invoice and its file outlive the row of the invoice, which another one takes the place of.
    keep_replaced_invoice: `
        INSERT INTO tax_documents
          (id, kind, wholesaler_id, transaction_id, document_id, cents, netted_cents, provider, status,
           cancellation, provider_document_id, provider_status, uuid, created_at, issued_at)
        SELECT i.id, 'invoice', i.wholesaler_id, i.transaction_id, i.id, coalesce(${BILLED_CENTS}, 0), 0,
               i.provider, 'issued', CASE i.cancellation WHEN 'accepted' THEN 'accepted' ELSE 'none' END,
               i.provider_invoice_id, i.provider_status, f.uuid, i.created_at, f.stored_at
          FROM (SELECT OLD.*) i JOIN invoice_files f ON f.id = i.id;`,
  }),
];

export const TAX_DOCUMENT_TRIGGERS = [
  `CREATE TRIGGER bill_commission AFTER INSERT ON statements FOR EACH ROW
     WHEN (NEW.commission_cents + NEW.commission_iva_cents <> 0)
     EXECUTE FUNCTION bill_commission()`,

  `CREATE TRIGGER keep_replaced_invoice AFTER DELETE ON invoices FOR EACH ROW
     WHEN (OLD.kind = 'invoice')
     EXECUTE FUNCTION keep_replaced_invoice()`,

  // Those of the lender are about no order.
  `CREATE TRIGGER announce_tax_document AFTER UPDATE ON tax_documents FOR EACH ROW
     WHEN (NEW.id = NEW.document_id AND NEW.transaction_id IS NOT NULL
           AND NEW.status = 'issued' AND OLD.status <> 'issued')
     EXECUTE FUNCTION announce_tax_document()`,

  `CREATE TRIGGER settle_invoices AFTER INSERT OR UPDATE ON statements FOR EACH ROW
     WHEN (NEW.status = 'paid' OR NEW.version > 1)
     EXECUTE FUNCTION settle_invoices()`,

  `CREATE TRIGGER settle_invoice AFTER UPDATE ON invoices FOR EACH ROW
     WHEN (NEW.kind = 'invoice' AND NEW.status = 'issued'
           AND (OLD.status <> 'issued'
                OR NEW.cancellation = 'accepted' AND OLD.cancellation <> 'accepted'))
     EXECUTE FUNCTION settle_invoice()`,
];
