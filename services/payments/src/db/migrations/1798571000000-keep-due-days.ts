import type { QueryRunner } from 'typeorm';

/**
 * The last day to pay, in the time zone that its order keeps; `due_at` is its end. Both are null in
 * debts of the release before: due_at is then the end of a day of the installation.
 */
export class KeepDueDays1798571000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE receivables ADD COLUMN due_on date, ADD COLUMN time_zone text;

      CREATE OR REPLACE FUNCTION announce_payment() RETURNS trigger LANGUAGE plpgsql
        SET search_path FROM CURRENT AS $$
      DECLARE
        event_type text := CASE
          WHEN NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents
             > OLD.paid_principal_cents + OLD.paid_interest_cents + OLD.paid_iva_cents
          THEN 'payment.applied' ELSE 'payment.reversed' END;
      BEGIN
        PERFORM announce_event(owner, event_type, NEW.id, NEW.version, jsonb_build_object(
            'transactionId', NEW.transaction_id, 'idFactura', NEW.id_factura,
            'numeroReferencia', balance.numero_referencia,
            'owedCents', NEW.principal_cents + NEW.interest_cents + NEW.iva_cents,
            'paidCents', NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents,
            'dueAt', NEW.due_at, 'timeZone', NEW.time_zone, 'paidAt', NEW.paid_at,
            'inDefault', NEW.in_default))
           FROM event_owners owner JOIN credit_balances balance ON balance.user_id = NEW.user_id
          WHERE owner.owner_id = NEW.wholesaler_id;
        RETURN NULL;
      END $$;
    `);
  }
}
