import { afterFunctions, ANNOUNCE_EVENT, type Triggers } from '@fiado/chassis/db/triggers';
import { VIEW_FIELDS } from '../orders/order-columns';
import { TAX_DOCUMENT_FUNCTIONS, TAX_DOCUMENT_TRIGGERS } from './tax-documents.sql';

/** An OrderView. */
const TRANSACTION_RESOURCE = `
  CREATE OR REPLACE FUNCTION transaction_resource(t transactions) RETURNS jsonb LANGUAGE sql STABLE
    SET search_path FROM CURRENT AS $$
    SELECT jsonb_build_object(${VIEW_FIELDS})
      FROM wholesalers wholesaler WHERE wholesaler.wholesaler_id = t.wholesaler_id
  $$`;

/**
 * Events of orders and invoices (ADR 33). A trigger runs in the statement that changes the row, and
 * after all parts of it: so it sees an order's product lines, whichever part wrote them.
 */
const ANNOUNCEMENTS = afterFunctions({
  // One look for all orders of a batch.
  announce_created_transactions: `
     PERFORM announce_event(owner, 'transaction.created', t.id, t.version,
                            transaction_resource(t))
        FROM created JOIN event_owners owner ON owner.owner_id = created.wholesaler_id
        JOIN transactions t ON t.id = created.id;`,

  announce_transaction: `
   DECLARE
     event_type text := CASE
       WHEN OLD.status = 'paid' THEN 'transaction.payment-reversed'
       WHEN NEW.status = 'on-hold' THEN 'transaction.confirmed'
       WHEN NEW.status = 'delivery' AND OLD.status = 'on-hold' THEN 'transaction.delivered'
       WHEN NEW.status IN ('cancelled', 'expired', 'paid') THEN 'transaction.' || NEW.status
       END;
   BEGIN
     PERFORM announce_event(owner, event_type, NEW.id, NEW.version, transaction_resource(NEW))
        FROM event_owners owner
       WHERE owner.owner_id = NEW.wholesaler_id AND event_type IS NOT NULL;
   END;`,

  announce_credit_note: `
     PERFORM announce_event(owner, 'transaction.credited', NEW.id, 1, jsonb_build_object(
         'id', NEW.id, 'transactionId', NEW.transaction_id, 'number', NEW.number,
         'principalCents', NEW.principal_cents, 'interestCents', NEW.interest_cents,
         'ivaCents', NEW.iva_cents, 'commissionCents', NEW.commission_cents, 'reason', NEW.reason,
         'reference', NEW.reference, 'createdBy', NEW.created_by, 'createdAt', NEW.created_at,
         'isInvoiced', NEW.invoice_id IS NOT NULL))
        FROM transactions t JOIN event_owners owner ON owner.owner_id = t.wholesaler_id
       WHERE t.id = NEW.transaction_id;`,

  announce_refused_credit_note: `
     PERFORM announce_event(owner, 'transaction.credit-note-refused', NEW.change_request_id, 1,
         jsonb_build_object(
           'changeRequestId', NEW.change_request_id, 'transactionId', NEW.transaction_id,
           'principalCents', NEW.principal_cents, 'reason', NEW.reason,
           'reference', NEW.reference, 'status', NEW.status, 'failure', NEW.failure,
           'requestedAt', NEW.requested_at, 'decidedAt', NEW.decided_at))
        FROM transactions t JOIN event_owners owner ON owner.owner_id = t.wholesaler_id
       WHERE t.id = NEW.transaction_id;`,

  announce_dispute: `
     IF TG_OP = 'UPDATE' AND OLD.status = NEW.status THEN RETURN NULL; END IF;
     PERFORM announce_event(owner,
         CASE TG_OP WHEN 'INSERT' THEN 'transaction.disputed' ELSE 'transaction.dispute-closed' END,
         NEW.id, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE 2 END, jsonb_build_object(
           'id', NEW.id, 'transactionId', NEW.transaction_id, 'status', NEW.status,
           'openedAt', NEW.opened_at, 'decidedAt', NEW.decided_at, 'response', NEW.response,
           'respondedAt', NEW.responded_at))
        FROM event_owners owner WHERE owner.owner_id = NEW.wholesaler_id;`,

  announce_invoice: `
     -- Each try raises the attempts before its outcome is written.
     -- The argument is what happened; without one it is the new state.
     PERFORM announce_event(owner, 'invoice.' || coalesce(TG_ARGV[0], NEW.status), NEW.id, NEW.attempts,
         jsonb_build_object(
           'id', NEW.id, 'transactionId', NEW.transaction_id, 'status', NEW.status,
           'kind', NEW.kind, 'discountCents', NEW.discount_cents, 'products', NEW.products,
           'cancellation', NEW.cancellation,
           'provider', NEW.provider, 'providerInvoiceId', NEW.provider_invoice_id,
           'providerStatus', NEW.provider_status, 'uuid', NEW.uuid,
           'selfInvoiceUrl', NEW.self_invoice_url, 'attempts', NEW.attempts,
           'lastError', NEW.last_error, 'failureReason', NEW.failure_reason,
           'nextAttemptAt', NEW.next_attempt_at, 'createdAt', NEW.created_at,
           'issuedAt', NEW.issued_at,
           'billableCents', t.amount_cents - (
             SELECT coalesce(sum(principal_cents), 0)::bigint FROM credit_notes
              WHERE transaction_id = t.id)))
        FROM transactions t JOIN event_owners owner ON owner.owner_id = t.wholesaler_id
       WHERE t.id = NEW.transaction_id;`,

  // A credit note makes the loop of invoices look at the receipt of the order (correct-invoice.ts). The argument names
  // the column with the order's id.
  correct_invoice: `
     UPDATE invoices
        SET cancellation = 'requested', cancel_motive = NULL, substitution_uuid = NULL,
            next_attempt_at = CASE status WHEN 'issued' THEN now() ELSE next_attempt_at END
      WHERE transaction_id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid
        AND status <> 'failed'
        -- One that a person asked for in vain is asked for again, for the order.
        AND (cancellation = 'none' OR cancellation IN ('rejected', 'expired') AND cancel_motive IS NOT NULL);`,

  // A payment is written before its statement is paid, and returned before it is open again.
  announce_statement: `
     PERFORM announce_event(owner,
         CASE WHEN TG_OP = 'INSERT' THEN 'statement.closed'
              WHEN NEW.status = 'paid' THEN 'statement.paid' ELSE 'statement.returned' END,
         NEW.id, NEW.version, jsonb_build_object(
           'id', NEW.id, 'wholesalerId', NEW.wholesaler_id, 'number', NEW.number,
           'periodFrom', NEW.period_from, 'periodTo', NEW.period_to, 'status', NEW.status,
           'lines', NEW.lines, 'grossCents', NEW.gross_cents,
           'commissionCents', NEW.commission_cents,
           'commissionIvaCents', NEW.commission_iva_cents, 'openingCents', NEW.opening_cents,
           'netCents', NEW.net_cents, 'dueCents', NEW.due_cents,
           'sha256', encode(NEW.sha256, 'hex'), 'closedAt', NEW.closed_at,
           'paidAt', payment.recorded_at, 'paidOn', payment.paid_on,
           'bankReference', payment.bank_reference))
        FROM event_owners owner LEFT JOIN statement_payments payment
          ON payment.statement_id = NEW.id AND payment.returned_at IS NULL
       WHERE owner.owner_id = NEW.wholesaler_id;`,
});

/** Dates that the tables keep themselves, whichever statement writes. */
const DATES = [
  `CREATE OR REPLACE FUNCTION date_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.updated_at := clock_timestamp();
     RETURN NEW;
   END $$`,

  `CREATE OR REPLACE FUNCTION date_delivery_words() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.delivery_words_since := now();
     RETURN NEW;
   END $$`,
];

/** Lines and statements change in one way each; verify and the books of wholesalers rely on it. */
const SETTLEMENT = [
  ...afterFunctions({
    // The line of a delivery. It does not read commissions, whose row the delivery replaces after the
    // order.
    write_delivery_line: `
        INSERT INTO settlement_lines
          (wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents, recorded_at,
           payable_from)
        SELECT NEW.wholesaler_id, 'delivery', NEW.id, NEW.id, NEW.amount_cents,
               round(NEW.amount_cents * NEW.commission_rate), NEW.delivered_at,
               CASE WHEN NEW.delivery_proof = 'none' AND w.hold_unproven_days > 0
                    THEN NEW.delivered_at + make_interval(hours => 24 * w.hold_unproven_days) END
          FROM settlement_start JOIN wholesalers w ON w.wholesaler_id = NEW.wholesaler_id
         WHERE NEW.delivered_at >= settlement_start.at;`,

    // A store that paid has said that it got its goods.
    release_lines: `
        UPDATE settlement_lines SET payable_from = now()
         WHERE (kind = 'delivery' AND source_id = NEW.id
                OR kind <> 'delivery' AND transaction_id = NEW.id)
           AND statement_id IS NULL AND payable_from > now();`,
  }),

  // A correction waits with its delivery: no statement takes back what is not paid yet.
  `CREATE OR REPLACE FUNCTION hold_correction() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     NEW.payable_from := (SELECT payable_from FROM settlement_lines
       WHERE kind = 'delivery' AND source_id = NEW.transaction_id AND statement_id IS NULL);
     RETURN NEW;
   END $$`,

  `CREATE OR REPLACE FUNCTION refuse_settlement_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% of % is refused', TG_OP, TG_TABLE_NAME
       USING ERRCODE = 'restrict_violation';
   END $$`,
];

/** Tables of statements whose rows nobody deletes, in any role. */
const KEPT_TABLES = [
  'credit_notes',
  'settlement_adjustments',
  'settlement_start',
  'settlement_lines',
  'statements',
  'statement_payments',
];

/** SQL: whether any of these columns is changed. */
function differ(columns: string): string {
  const of = (row: string): string => columns.replaceAll(/\w+/g, `${row}.$&`);
  return `(${of('OLD')}) IS DISTINCT FROM (${of('NEW')})`;
}

const SETTLEMENT_TRIGGERS = [
  // The settlement starts where the trigger starts: creating it waits for all writers of the table.
  `CREATE TRIGGER write_delivery_line AFTER UPDATE ON transactions FOR EACH ROW
     WHEN (OLD.status = 'on-hold' AND NEW.status = 'delivery')
     EXECUTE FUNCTION write_delivery_line();
   INSERT INTO settlement_start SELECT clock_timestamp()
     WHERE NOT EXISTS (SELECT FROM settlement_start)`,

  `CREATE TRIGGER hold_correction BEFORE INSERT ON settlement_lines FOR EACH ROW
     WHEN (NEW.kind IN ('credit-note', 'clawback'))
     EXECUTE FUNCTION hold_correction()`,

  `CREATE TRIGGER release_lines AFTER UPDATE ON transactions FOR EACH ROW
     WHEN (NEW.status = 'paid' AND OLD.status <> 'paid' AND NEW.delivery_proof = 'none')
     EXECUTE FUNCTION release_lines()`,

  // An erasure may empty the wholesaler's own id of a credit note.
  `CREATE TRIGGER keep_credit_note BEFORE UPDATE ON credit_notes FOR EACH ROW
     WHEN (NEW.reference IS NOT NULL
           OR ${differ(`id, transaction_id, number, principal_cents, interest_cents, iva_cents,
             commission_cents, reason, invoice_id, created_by, created_at, corner_store_id`)})
     EXECUTE FUNCTION refuse_settlement_change()`,

  // A line gets a statement once. It is payable earlier at most. An erasure may empty its reason.
  `CREATE TRIGGER keep_line BEFORE UPDATE ON settlement_lines FOR EACH ROW
     WHEN (OLD.statement_id IS DISTINCT FROM NEW.statement_id AND OLD.statement_id IS NOT NULL
           OR OLD.payable_from IS DISTINCT FROM NEW.payable_from
              AND (OLD.statement_id IS NULL AND NEW.payable_from < OLD.payable_from) IS NOT TRUE
           OR ${differ(`id, wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents,
             recorded_at`)})
     EXECUTE FUNCTION refuse_settlement_change()`,

  // A statement is paid, and open again when the bank returns the payment.
  `CREATE TRIGGER keep_statement BEFORE UPDATE ON statements FOR EACH ROW
     WHEN (OLD.status = NEW.status OR NEW.version <> OLD.version + 1
           OR ${differ(`id, wholesaler_id, number, period_from, period_to, lines, gross_cents,
             commission_cents, commission_iva, iva_rate, commission_iva_cents, opening_cents,
             net_cents, due_cents, sha256, closed_at`)})
     EXECUTE FUNCTION refuse_settlement_change()`,

  // A payment is returned once.
  `CREATE TRIGGER keep_statement_payment BEFORE UPDATE ON statement_payments FOR EACH ROW
     WHEN (OLD.returned_at IS NOT NULL OR NEW.returned_at IS NULL
           OR ${differ(`statement_id, number, bank_reference, bank_reference_key, paid_on, cents, paid_by,
             approved_by, recorded_at`)})
     EXECUTE FUNCTION refuse_settlement_change()`,

  `CREATE TRIGGER keep_adjustment BEFORE UPDATE ON settlement_adjustments FOR EACH ROW
     EXECUTE FUNCTION refuse_settlement_change()`,

  ...KEPT_TABLES.flatMap((table) => [
    `CREATE TRIGGER keep_rows BEFORE DELETE ON ${table} FOR EACH ROW
       EXECUTE FUNCTION refuse_settlement_change()`,
    `CREATE TRIGGER keep_table BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT
       EXECUTE FUNCTION refuse_settlement_change()`,
  ]),
];

export const transactionsTriggers: Triggers = {
  functions: [
    ANNOUNCE_EVENT,
    TRANSACTION_RESOURCE,
    ...ANNOUNCEMENTS,
    ...DATES,
    ...SETTLEMENT,
    ...TAX_DOCUMENT_FUNCTIONS,
  ],
  triggers: [
    `CREATE TRIGGER announce_created_transactions AFTER INSERT ON transactions
       REFERENCING NEW TABLE AS created FOR EACH STATEMENT
       EXECUTE FUNCTION announce_created_transactions()`,

    `CREATE TRIGGER announce_transaction AFTER UPDATE ON transactions FOR EACH ROW
       WHEN (OLD.status <> NEW.status)
       EXECUTE FUNCTION announce_transaction()`,

    // Of every column: an order that is listed once too often does no harm. But a place of delivery
    // that is sealed with another key is no change, or integrators would read all orders again. A
    // delivery sets the place once, where there was none.
    `CREATE TRIGGER date_change BEFORE UPDATE ON transactions FOR EACH ROW
       WHEN (OLD.location_sealed IS NULL
             OR OLD.location_sealed IS NOT DISTINCT FROM NEW.location_sealed)
       EXECUTE FUNCTION date_change()`,

    `CREATE TRIGGER announce_credit_note AFTER INSERT ON credit_notes FOR EACH ROW
       EXECUTE FUNCTION announce_credit_note()`,

    `CREATE TRIGGER announce_refused_credit_note AFTER INSERT ON refused_credit_notes FOR EACH ROW
       EXECUTE FUNCTION announce_refused_credit_note()`,

    `CREATE TRIGGER announce_dispute AFTER INSERT OR UPDATE ON disputes FOR EACH ROW
       EXECUTE FUNCTION announce_dispute()`,

    `CREATE TRIGGER announce_invoice AFTER UPDATE ON invoices FOR EACH ROW
       WHEN (OLD.status <> NEW.status AND NEW.status IN ('issued', 'failed'))
       EXECUTE FUNCTION announce_invoice()`,

    `CREATE TRIGGER announce_cancelled_invoice AFTER UPDATE ON invoices FOR EACH ROW
       WHEN (OLD.cancellation <> NEW.cancellation AND NEW.cancellation = 'accepted')
       EXECUTE FUNCTION announce_invoice('cancelled')`,

    // Nearly all orders are delivered as they were ordered: then it does not run.
    `CREATE TRIGGER correct_invoice AFTER UPDATE ON transactions FOR EACH ROW
       WHEN (NEW.amount_cents < OLD.amount_cents
             OR OLD.status = 'on-hold' AND NEW.status IN ('cancelled', 'expired'))
       EXECUTE FUNCTION correct_invoice('id')`,

    `CREATE TRIGGER correct_credited_invoice AFTER INSERT ON credit_notes FOR EACH ROW
       EXECUTE FUNCTION correct_invoice('transaction_id')`,

    `CREATE TRIGGER announce_statement AFTER INSERT OR UPDATE ON statements FOR EACH ROW
       EXECUTE FUNCTION announce_statement()`,

    `CREATE TRIGGER date_delivery_words BEFORE UPDATE ON wholesalers FOR EACH ROW
       WHEN (NEW.delivery_word_enabled AND NOT OLD.delivery_word_enabled)
       EXECUTE FUNCTION date_delivery_words()`,

    ...SETTLEMENT_TRIGGERS,
    ...TAX_DOCUMENT_TRIGGERS,
  ],
  appendOnly: ['credit_entries'],
};
