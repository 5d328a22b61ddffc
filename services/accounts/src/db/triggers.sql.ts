import { afterFunctions, ANNOUNCE_EVENT, type Triggers } from '@fiado/chassis/db/triggers';

/** Tells each process whose names are new or have changed (ADR 86). No name is written. */
export const AWAIT_NAMES = [
  `CREATE OR REPLACE FUNCTION await_names_of_store() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO name_changes (corner_store_id) VALUES (NEW.id);
     RETURN NULL;
   END $$`,

  `CREATE OR REPLACE FUNCTION await_names_of_user() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO name_changes (corner_store_id) SELECT id FROM corner_stores WHERE user_id = NEW.id;
     RETURN NULL;
   END $$`,
];

export const AWAIT_NAMES_OF_STORE = `
  CREATE TRIGGER await_names_of_store AFTER INSERT OR UPDATE OF name ON corner_stores
    FOR EACH ROW EXECUTE FUNCTION await_names_of_store()`;

export const AWAIT_NAMES_OF_USER = `
  CREATE TRIGGER await_names_of_user AFTER UPDATE OF first_name, last_names ON users
    FOR EACH ROW EXECUTE FUNCTION await_names_of_user()`;

/** Events of corner stores and of verifications (ADR 33), the chain of the audit log, the names that change, and the
 * roots of people (ADR 54). */
export const accountsTriggers: Triggers = {
  functions: [
    ANNOUNCE_EVENT,

    // As in the index corner_stores_of_status.
    `CREATE OR REPLACE FUNCTION shown_status(store corner_stores) RETURNS text
       LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE WHEN store.status = 'approved' AND store.overdue THEN 'in-payment-default'
                   ELSE store.status END
     $$`,

    ...afterFunctions({
      // To each wholesaler whose customer the corner store is.
      announce_corner_store: `
        DECLARE
          -- Being overdue is ordered by a version of its own: the sum grows with either.
          event_version bigint := NEW.version + NEW.overdue_version;
          event_types text[] := array_remove(ARRAY[
            CASE WHEN 'COMPLETED' = ANY(NEW.onboarding_steps)
                  AND NOT 'COMPLETED' = ANY(OLD.onboarding_steps) THEN 'onboarding.completed' END,
            CASE WHEN shown_status(NEW) <> shown_status(OLD)
                 THEN 'corner-store.status-changed' END,
            CASE WHEN NEW.credit_limit_cents <> OLD.credit_limit_cents
                 THEN 'corner-store.limit-changed' END], NULL);
        BEGIN
          PERFORM announce_event(owner, event_type, NEW.id, event_version, jsonb_build_object(
              'cornerStoreId', NEW.id, 'userId', NEW.user_id, 'externalId', customer.external_id,
              'status', NEW.status, 'overdue', NEW.overdue,
              'creditLimitCents', NEW.credit_limit_cents, 'interestRate', NEW.interest_rate::text))
             FROM customers customer JOIN event_owners owner ON owner.owner_id = customer.wholesaler_id
            CROSS JOIN unnest(event_types) AS event_type
            WHERE customer.corner_store_id = NEW.id;
        END;`,

      announce_blocked_store: `
        DECLARE
          event_type text := CASE WHEN NEW.erased_at IS NULL
                                  THEN 'corner-store.blocked' ELSE 'corner-store.erased' END;
        BEGIN
          PERFORM announce_event(owner, event_type, NEW.id, NEW.version + NEW.overdue_version,
              jsonb_build_object('cornerStoreId', NEW.id, 'userId', NEW.user_id))
             FROM customers customer JOIN event_owners owner ON owner.owner_id = customer.wholesaler_id
            WHERE customer.corner_store_id = NEW.id;
        END;`,

      announce_verification: `
          PERFORM announce_event(owner, 'verification.approved', NEW.id, 1, jsonb_build_object(
              'verificationId', NEW.id, 'userId', NEW.user_id))
             FROM event_owners owner WHERE owner.owner_id = NEW.wholesaler_id;`,
    }),

    `CREATE OR REPLACE FUNCTION await_chain() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO audit_unchained (entry_id) SELECT id FROM inserted;
       RETURN NULL;
     END $$`,

    `CREATE OR REPLACE FUNCTION keep_root() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'The root of a person never changes';
     END $$`,

    ...AWAIT_NAMES,
  ],
  triggers: [
    AWAIT_NAMES_OF_STORE,
    AWAIT_NAMES_OF_USER,

    `CREATE TRIGGER announce_corner_store AFTER UPDATE ON corner_stores FOR EACH ROW
       WHEN (OLD.status <> NEW.status OR OLD.overdue <> NEW.overdue
             OR OLD.credit_limit_cents <> NEW.credit_limit_cents
             OR OLD.onboarding_steps <> NEW.onboarding_steps)
       EXECUTE FUNCTION announce_corner_store()`,

    `CREATE TRIGGER announce_blocked_store AFTER UPDATE ON corner_stores FOR EACH ROW
       WHEN ((OLD.blocked_at IS NULL AND NEW.blocked_at IS NOT NULL)
             OR (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL))
       EXECUTE FUNCTION announce_blocked_store()`,

    `CREATE TRIGGER announce_verification AFTER UPDATE ON verifications FOR EACH ROW
       WHEN (OLD.status <> NEW.status AND NEW.status = 'approved')
       EXECUTE FUNCTION announce_verification()`,

    `CREATE TRIGGER await_chain AFTER INSERT ON audit_log
       REFERENCING NEW TABLE AS inserted
       FOR EACH STATEMENT EXECUTE FUNCTION await_chain()`,

    `CREATE TRIGGER keep_root BEFORE UPDATE OF root_id ON staff FOR EACH ROW
       WHEN (NEW.root_id IS DISTINCT FROM OLD.root_id AND OLD.root_id IS NOT NULL)
       EXECUTE FUNCTION keep_root()`,
  ],
  appendOnly: ['audit_log', 'audit_chain'],
};
