import { afterFunctions, ANNOUNCE_EVENT, type Triggers } from '@fiado/chassis/db/triggers';

/**
 * Refuses every change of a row but one: the column that is its argument may become empty. For append-only tables with
 * a text.
 */
export const REFUSE_ALL_BUT_BLANKING = `
  CREATE OR REPLACE FUNCTION refuse_all_but_blanking() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - TG_ARGV[0] = to_jsonb(OLD) - TG_ARGV[0]
       AND to_jsonb(NEW) ->> TG_ARGV[0] = '' THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$`;

/** Lets the external id of a default change only to a name that erasure gives. For payment_defaults. */
export const REFUSE_ALL_BUT_RENAMING = `
  CREATE OR REPLACE FUNCTION refuse_all_but_renaming() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.external_id <> OLD.external_id AND NEW.external_id !~ '^erased-[0-9a-f]{12}$' THEN
      RAISE EXCEPTION 'The external id of a default is kept' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $$`;

/**
 * Events of payments, deposits and defaults (ADR 33). A trigger runs in the statement that changes
 * the row, and after all parts of it: so it sees the receivable together with its new default.
 */
export const paymentsTriggers: Triggers = {
  functions: [
    ANNOUNCE_EVENT,
    REFUSE_ALL_BUT_BLANKING,
    REFUSE_ALL_BUT_RENAMING,

    ...afterFunctions({
      // Money reached a receivable, or was taken back from it.
      announce_payment: `
        DECLARE
          event_type text := CASE
            WHEN NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents
               > OLD.paid_principal_cents + OLD.paid_interest_cents + OLD.paid_iva_cents
            THEN 'payment.applied' ELSE 'payment.reversed' END;
        BEGIN
          PERFORM announce_event(owner, event_type, NEW.id, NEW.version, jsonb_build_object(
              'transactionId', NEW.transaction_id, 'idFactura', NEW.id_factura,
              'numeroReferencia', balance.numero_referencia,
              'owedCents', NEW.principal_cents + NEW.interest_cents + NEW.iva_cents
                 - NEW.credited_principal_cents - NEW.credited_interest_cents - NEW.credited_iva_cents,
              'paidCents', NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents,
              'dueAt', NEW.due_at, 'timeZone', NEW.time_zone, 'paidAt', NEW.paid_at,
              'inDefault', NEW.in_default))
             FROM event_owners owner JOIN credit_balances balance ON balance.user_id = NEW.user_id
            WHERE owner.owner_id = NEW.wholesaler_id;
        END;`,

      announce_default: `
        DECLARE
          event_type text := CASE TG_OP WHEN 'INSERT' THEN 'default.opened' ELSE 'default.closed' END;
          event_version bigint := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE 2 END;
        BEGIN
          PERFORM announce_event(owner, event_type, NEW.id, event_version, jsonb_build_object(
              'transactionId', receivable.transaction_id, 'userId', NEW.user_id,
              'externalId', NEW.external_id, 'amountCents', NEW.amount_cents,
              'openedAt', NEW.opened_at, 'paidAt', NEW.paid_at))
             FROM event_owners owner JOIN receivables receivable ON receivable.id = NEW.receivable_id
            WHERE owner.owner_id = NEW.wholesaler_id;
        END;`,

      announce_withdrawn_default: `
          PERFORM announce_event(owner, 'default.withdrawn', NEW.default_id, 3, jsonb_build_object(
              'transactionId', receivable.transaction_id, 'userId', d.user_id,
              'externalId', d.external_id, 'amountCents', d.amount_cents,
              'openedAt', d.opened_at, 'paidAt', d.paid_at))
             FROM payment_defaults d JOIN receivables receivable ON receivable.id = d.receivable_id
             JOIN event_owners owner ON owner.owner_id = d.wholesaler_id
            WHERE d.id = NEW.default_id;`,

      // To the payment provider that sent the deposit.
      announce_deposit: `
        DECLARE
          statuses text[] := ARRAY['received', 'unmatched', 'applied', 'reversed'];
          -- Between two unassignments no status is followed by one before it.
          event_version bigint := array_position(statuses, NEW.status)
            + cardinality(statuses) * NEW.unassignments;
        BEGIN
          PERFORM announce_event(owner, 'deposit.' || NEW.status, NEW.id, event_version, jsonb_build_object(
              'id', NEW.id, 'providerName', NEW.provider_name, 'idFactura', NEW.id_factura,
              'numeroReferencia', NEW.numero_referencia, 'valorCents', NEW.valor_cents,
              'fechaPago', NEW.fecha_pago, 'claveDePago', NEW.clave_de_pago, 'status', NEW.status,
              'unmatchedReason', NEW.unmatched_reason, 'receivedAt', NEW.received_at))
             FROM event_owners owner WHERE owner.owner_id = NEW.payment_provider_id;
        END;`,

      // To the payment provider that asked for it, with the version of the deposit.
      announce_refused_reversal: `
        DECLARE
          statuses text[] := ARRAY['received', 'unmatched', 'applied', 'reversed'];
        BEGIN
          PERFORM announce_event(owner, 'deposit.reversal-refused', deposit.id,
              array_position(statuses, deposit.status) + cardinality(statuses) * deposit.unassignments,
              jsonb_build_object(
              'id', deposit.id, 'claveDePago', deposit.clave_de_pago, 'valorCents', deposit.valor_cents,
              'fechaPago', deposit.fecha_pago, 'receivedAt', deposit.received_at, 'status', deposit.status,
              'reversedAt', NULL, 'reversalRequest', jsonb_build_object(
                'reason', NEW.reason, 'requestedAt', NEW.requested_at,
                'refusal', NEW.refusal, 'refusedAt', NEW.refused_at)))
             FROM deposits deposit JOIN event_owners owner ON owner.owner_id = deposit.payment_provider_id
            WHERE deposit.id = NEW.deposit_id;
        END;`,
    }),
  ],
  triggers: [
    `CREATE TRIGGER announce_payment AFTER UPDATE ON receivables FOR EACH ROW
       WHEN (NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents
          <> OLD.paid_principal_cents + OLD.paid_interest_cents + OLD.paid_iva_cents)
       EXECUTE FUNCTION announce_payment()`,

    `CREATE TRIGGER announce_opened_default AFTER INSERT ON payment_defaults FOR EACH ROW
       EXECUTE FUNCTION announce_default()`,

    `CREATE TRIGGER announce_closed_default AFTER UPDATE ON payment_defaults FOR EACH ROW
       WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL)
       EXECUTE FUNCTION announce_default()`,

    `CREATE TRIGGER announce_withdrawn_default AFTER INSERT ON default_withdrawals FOR EACH ROW
       EXECUTE FUNCTION announce_withdrawn_default()`,

    `CREATE TRIGGER announce_deposit AFTER UPDATE ON deposits FOR EACH ROW
       WHEN (OLD.status <> NEW.status)
       EXECUTE FUNCTION announce_deposit()`,

    `CREATE TRIGGER announce_refused_reversal AFTER UPDATE ON reversal_requests FOR EACH ROW
       WHEN (OLD.refused_at IS NULL AND NEW.refused_at IS NOT NULL)
       EXECUTE FUNCTION announce_refused_reversal()`,
  ],
  appendOnly: [
    'receivable_entries',
    'credit_balance_entries',
    'recovery_entries',
    'deposit_conflicts',
    'deposit_decisions',
    'allocations',
    'default_withdrawals',
    'portfolio_calendar',
    'portfolio_days',
    'portfolio_flows',
    'write_offs',
  ],
};
