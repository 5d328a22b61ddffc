import { migration } from '@fiado/chassis/db/migration';

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

  `CREATE OR REPLACE FUNCTION announce_tax_document() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     PERFORM announce_event(owner,
         CASE NEW.kind WHEN 'payment' THEN 'invoice.payment-complement-issued'
                       ELSE 'invoice.credit-note-issued' END,
         NEW.id, NEW.attempts, tax_document_resource(NEW))
        FROM event_owners owner WHERE owner.owner_id = NEW.wholesaler_id;
     RETURN NULL;
   END $$`,

  `CREATE OR REPLACE FUNCTION settle_invoices() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     IF NEW.status = 'paid' THEN
       PERFORM write_payments(NEW.id, NULL);
     ELSE
       UPDATE tax_documents
          SET cancellation = 'requested',
              next_attempt_at = CASE status WHEN 'issued' THEN now() ELSE next_attempt_at END
        WHERE statement_id = NEW.id AND kind = 'payment' AND status <> 'dropped'
          AND cancellation = 'none';
     END IF;
     RETURN NULL;
   END $$`,

  // An invoice that is issued late gets its row: the locks order it and the settling of its order, so that one sees the other. When
  // an invoice is cancelled, its complement is made anew for the other invoices.
  `CREATE OR REPLACE FUNCTION settle_invoice() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   DECLARE
     settled uuid;
     state text;
   BEGIN
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
     UPDATE tax_documents
        SET cancellation = 'requested',
            next_attempt_at = CASE status WHEN 'issued' THEN now() ELSE next_attempt_at END
      WHERE cancellation = 'none' AND status <> 'dropped'
        AND document_id IN (SELECT document_id FROM tax_documents
                             WHERE transaction_id = NEW.transaction_id AND invoice_id = NEW.id
                               AND kind = 'payment');
     IF FOUND THEN
       PERFORM write_payments(settled, NULL);
     END IF;
     RETURN NULL;
   END $$`,

  // From the profile on: statements that closed before have none.
  `CREATE OR REPLACE FUNCTION bill_commission() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO tax_documents (id, kind, wholesaler_id, statement_id, document_id, cents, netted_cents, provider)
     SELECT made.id, 'commission', NEW.wholesaler_id, NEW.id, made.id, NEW.commission_cents + NEW.commission_iva_cents, 0, 'lender'
       FROM (SELECT uuidv7() AS id) made
      WHERE EXISTS (SELECT FROM wholesaler_tax_profiles p WHERE p.wholesaler_id = NEW.wholesaler_id);
     RETURN NULL;
   END $$`,
];

export const TAX_DOCUMENT_TRIGGERS = [
  // Of a statement whose corrections take more commission back than it has, there is none.
  `CREATE TRIGGER bill_commission AFTER INSERT ON statements FOR EACH ROW
     WHEN (NEW.commission_cents + NEW.commission_iva_cents > 0)
     EXECUTE FUNCTION bill_commission()`,

  `CREATE TRIGGER announce_tax_document AFTER UPDATE ON tax_documents FOR EACH ROW
     WHEN (NEW.id = NEW.document_id AND NEW.kind <> 'commission'
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
