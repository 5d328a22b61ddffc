import type { QueryRunner } from 'typeorm';

/** `transaction.payment-reversed` undoes `transaction.paid`. */
export class AnnounceReversedPayments1798550002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION announce_transaction() RETURNS trigger LANGUAGE plpgsql
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
      END $$;
    `);
  }
}
