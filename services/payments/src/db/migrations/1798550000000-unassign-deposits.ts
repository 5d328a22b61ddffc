import type { QueryRunner } from 'typeorm';

/**
 * An applied deposit can be unassigned, and assigned again, any number of times. `unassignments` is
 * how often the deposit had been unassigned by then, so that each decision, allocation and message
 * still happens once. Constraints are NOT VALID where the rows obeyed a narrower rule, so that no
 * scan is needed under the lock.
 */
export class UnassignDeposits1798550000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deposits
        ADD COLUMN unassignments integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT deposits_unmatched_reason_check,
        ADD CONSTRAINT deposits_unmatched_reason_check CHECK (unmatched_reason IN
          ('unknown', 'ambiguous', 'above-ceiling', 'unassigned')) NOT VALID;

      -- A decision of ops, so the table is small.
      ALTER TABLE deposit_decisions
        ADD COLUMN unassignments integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT deposit_decisions_pkey,
        ADD PRIMARY KEY (deposit_id, decision, unassignments),
        DROP CONSTRAINT deposit_decisions_decision_check,
        DROP CONSTRAINT deposit_decisions_check,
        DROP CONSTRAINT deposit_decisions_check1,
        ADD CONSTRAINT deposit_decisions_decision_check
          CHECK (decision IN ('assigned', 'unassigned', 'reversed')),
        -- Of an unassigned one, the store that loses it.
        ADD CONSTRAINT decision_names_its_store
          CHECK ((decision = 'reversed') = (corner_store_id IS NULL)),
        ADD CONSTRAINT decision_has_its_reason
          CHECK ((decision = 'assigned') = (reason IS NULL));

      ALTER TABLE allocations ADD COLUMN unassignments integer NOT NULL DEFAULT 0;
      ALTER TABLE credit_balance_entries
        DROP CONSTRAINT credit_balance_entries_cause_check,
        ADD CONSTRAINT credit_balance_entries_cause_check CHECK (cause IN
          ('surplus', 'spent', 'returned', 'reversal', 'unassigned')) NOT VALID;
      ALTER TABLE deposit_changes
        DROP CONSTRAINT deposit_changes_kind_check,
        ADD CONSTRAINT deposit_changes_kind_check
          CHECK (kind IN ('deposit.reverse', 'deposit.assign', 'deposit.unassign'));

      ALTER TABLE notices
        -- Of a notice about a deposit.
        ADD COLUMN unassignments integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT notices_kind_check,
        ADD CONSTRAINT notices_kind_check CHECK (kind IN
          ('delivered', 'payment-received', 'payment-reversed', 'payment-due', 'payment-overdue'))
          NOT VALID;

      CREATE OR REPLACE FUNCTION announce_deposit() RETURNS trigger LANGUAGE plpgsql
        SET search_path FROM CURRENT AS $$
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
        RETURN NULL;
      END $$;
    `);
  }
}
