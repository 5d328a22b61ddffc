import { ANNOUNCE_EVENT, type Triggers } from '@fiado/chassis/db/triggers';
import { VIEW_FIELDS } from '../orders/order-columns';

/** A TransactionView. */
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
const ANNOUNCEMENTS = [
  // One look for all orders of a batch.
  `CREATE OR REPLACE FUNCTION announce_created_transactions() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     PERFORM announce_event(owner, 'transaction.created', t.id, t.version,
                            transaction_resource(t))
        FROM created JOIN event_owners owner ON owner.owner_id = created.wholesaler_id
        JOIN transactions t ON t.id = created.id;
     RETURN NULL;
   END $$`,

  `CREATE OR REPLACE FUNCTION announce_transaction() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
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
     RETURN NULL;
   END $$`,

  `CREATE OR REPLACE FUNCTION announce_invoice() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     -- Each try raises the attempts before its outcome is written.
     PERFORM announce_event(owner, 'invoice.' || NEW.status, NEW.id, NEW.attempts,
         jsonb_build_object(
           'id', NEW.id, 'transactionId', NEW.transaction_id, 'status', NEW.status,
           'discountCents', NEW.discount_cents, 'products', NEW.products,
           'provider', NEW.provider, 'providerInvoiceId', NEW.provider_invoice_id,
           'providerStatus', NEW.provider_status, 'uuid', NEW.uuid,
           'selfInvoiceUrl', NEW.self_invoice_url, 'attempts', NEW.attempts,
           'lastError', NEW.last_error, 'failureReason', NEW.failure_reason,
           'nextAttemptAt', NEW.next_attempt_at, 'createdAt', NEW.created_at,
           'issuedAt', NEW.issued_at))
        FROM transactions t JOIN event_owners owner ON owner.owner_id = t.wholesaler_id
       WHERE t.id = NEW.transaction_id;
     RETURN NULL;
   END $$`,
];

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

export const transactionsTriggers: Triggers = {
  functions: [ANNOUNCE_EVENT, TRANSACTION_RESOURCE, ...ANNOUNCEMENTS, ...DATES],
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

    `CREATE TRIGGER announce_invoice AFTER UPDATE ON invoices FOR EACH ROW
       WHEN (OLD.status <> NEW.status AND NEW.status IN ('issued', 'failed'))
       EXECUTE FUNCTION announce_invoice()`,

    `CREATE TRIGGER date_delivery_words BEFORE UPDATE ON wholesalers FOR EACH ROW
       WHEN (NEW.delivery_word_enabled AND NOT OLD.delivery_word_enabled)
       EXECUTE FUNCTION date_delivery_words()`,
  ],
  appendOnly: ['credit_entries'],
};
