import { roleOf } from '@fiado/chassis/db/roles';

const ROLE = roleOf('payments');

/**
 * One table for all changes of payments that wait for a second person. Processes of the release before keep them in
 * deposit_changes, write_off_requests and payouts. Triggers copy each row to the other side, so that a process of
 * either release may decide it. The next release drops the view, the functions, both tables and the columns of
 * payouts.
 */
export const CREATE_WAITING_CHANGES = `
  -- One for each target: a deposit, a payout or a debt. The row goes when accounts tells the decision.
  CREATE TABLE waiting_changes (
    target_id         uuid PRIMARY KEY,
    change_request_id uuid NOT NULL UNIQUE,
    kind              text NOT NULL,
    payload           jsonb NOT NULL,
    requested_by      text NOT NULL,
    requested_at      timestamptz NOT NULL DEFAULT now()
  );

  -- The changes that wait, as the release before keeps them.
  CREATE VIEW waiting_changes_before AS
    SELECT deposit_id AS target_id, change_request_id, kind,
           payload || jsonb_build_object('depositVersion', deposit_version) AS payload,
           requested_by, requested_at
      FROM deposit_changes
    UNION ALL
    SELECT receivable_id, change_request_id, 'receivable.write-off', jsonb_build_object('reason', reason),
           requested_by, requested_at
      FROM write_off_requests
    UNION ALL
    SELECT id, coalesce(return_requested_id, id),
           CASE status WHEN 'requested' THEN 'payout.pay' ELSE 'payout.return' END,
           jsonb_build_object('cornerStoreId', corner_store_id, 'amountCents', amount_cents,
                              'bankReference', bank_reference),
           coalesce(return_requested_by, requested_by), requested_at
      FROM payouts WHERE status = 'requested' OR return_requested_id IS NOT NULL;

  -- The argument is the column with the target.
  CREATE FUNCTION copy_change_of_before() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    target uuid := (to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) ->> TG_ARGV[0])::uuid;
  BEGIN
    DELETE FROM waiting_changes w WHERE target_id = target AND NOT EXISTS (
      SELECT FROM waiting_changes_before b
       WHERE b.target_id = target AND b.change_request_id = w.change_request_id);
    INSERT INTO waiting_changes SELECT * FROM waiting_changes_before WHERE target_id = target
      ON CONFLICT DO NOTHING;
    -- An erasure empties its text.
    UPDATE waiting_changes w SET payload = b.payload FROM waiting_changes_before b
     WHERE w.target_id = target AND b.target_id = target AND b.change_request_id = w.change_request_id;
    RETURN NULL;
  END $$;

  CREATE FUNCTION copy_change_to_before() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM deposit_changes WHERE change_request_id = OLD.change_request_id;
      DELETE FROM write_off_requests WHERE change_request_id = OLD.change_request_id;
      UPDATE payouts SET return_requested_id = NULL, return_requested_by = NULL
       WHERE return_requested_id = OLD.change_request_id;
    ELSIF NEW.kind = 'payout.return' THEN
      UPDATE payouts SET return_requested_id = NEW.change_request_id, return_requested_by = NEW.requested_by
       WHERE id = NEW.target_id AND return_requested_id IS NULL;
    ELSIF NEW.kind = 'receivable.write-off' THEN
      INSERT INTO write_off_requests (receivable_id, change_request_id, reason, requested_by)
      VALUES (NEW.target_id, NEW.change_request_id, NEW.payload ->> 'reason', NEW.requested_by)
          ON CONFLICT DO NOTHING;
    ELSIF NEW.kind LIKE 'deposit.%' THEN
      INSERT INTO deposit_changes (deposit_id, change_request_id, kind, payload, deposit_version, requested_by)
      VALUES (NEW.target_id, NEW.change_request_id, NEW.kind, NEW.payload - 'depositVersion',
              (NEW.payload ->> 'depositVersion')::integer, NEW.requested_by)
          ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END $$;

  CREATE TRIGGER copy_change_of_before AFTER INSERT OR UPDATE OR DELETE ON deposit_changes
    FOR EACH ROW EXECUTE FUNCTION copy_change_of_before('deposit_id');
  CREATE TRIGGER copy_change_of_before AFTER INSERT OR UPDATE OR DELETE ON write_off_requests
    FOR EACH ROW EXECUTE FUNCTION copy_change_of_before('receivable_id');
  CREATE TRIGGER copy_change_of_before AFTER INSERT OR UPDATE OF status, return_requested_id ON payouts
    FOR EACH ROW EXECUTE FUNCTION copy_change_of_before('id');
  CREATE TRIGGER copy_change_to_before AFTER INSERT OR DELETE ON waiting_changes
    FOR EACH ROW EXECUTE FUNCTION copy_change_to_before();
  INSERT INTO waiting_changes SELECT * FROM waiting_changes_before;

  REVOKE INSERT ON payouts FROM ${ROLE};
  GRANT INSERT (id, user_id, corner_store_id, amount_cents, bank_reference, bank_reference_key, reason,
                status, requested_by, requested_at, paid_at, returned_at) ON payouts TO ${ROLE}`;
