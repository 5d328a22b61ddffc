import type { QueryRunner } from 'typeorm';

/**
 * The event message.failed (ADR 33). A trigger runs in the statement that ends a message: a claim over
 * a budget, the outcome of a call, a status callback, or the settler.
 */
export class AnnounceFailedMessages1797000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Owners with a row have had an event or an endpoint, so they had switched events on.
      ALTER TABLE event_owners ADD COLUMN wants_events boolean NOT NULL DEFAULT true;

      -- A message may fail twice: an unknown one that a callback reports as sent, then as failed.
      ALTER TABLE messages ADD COLUMN failure_announced boolean NOT NULL DEFAULT false;

      CREATE FUNCTION announce_failed_message() RETURNS trigger LANGUAGE plpgsql
        SET search_path FROM CURRENT AS $$
      BEGIN
        INSERT INTO outbox
          (id, queue, type, version, aggregate_id, aggregate_version, data, request_id)
        SELECT uuidv7(), 'notifier', 'announce-event', 1, NEW.id, 1,
               jsonb_build_object('ownerKind', kind, 'ownerId', id, 'type', 'message.failed',
                 'resource', jsonb_build_object(
                   'messageId', NEW.id, 'template', NEW.template, 'status', NEW.status,
                   'reason', NEW.status_reason, 'subjectId', NEW.subject_id)),
               NEW.request_id
          FROM event_owners WHERE id = NEW.wholesaler_id AND wants_events;
        NEW.failure_announced := FOUND;
        RETURN NEW;
      END $$;
      CREATE TRIGGER announce_failed_message BEFORE UPDATE ON messages FOR EACH ROW
        WHEN (NEW.status IN ('failed', 'unknown', 'expired') AND OLD.status <> NEW.status
              AND NOT OLD.failure_announced)
        EXECUTE FUNCTION announce_failed_message();
    `);
  }
}
