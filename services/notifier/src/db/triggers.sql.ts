import type { Triggers } from '@fiado/chassis/db/triggers';

export const notifierTriggers: Triggers = {
  functions: [
    // The event message.failed (ADR 33), in the statement that ends a message: a claim over a budget,
    // the outcome of a call, a status callback, or the settler.
    `CREATE OR REPLACE FUNCTION announce_failed_message() RETURNS trigger LANGUAGE plpgsql
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
     END $$`,
  ],
  triggers: [
    `CREATE TRIGGER announce_failed_message BEFORE UPDATE ON messages FOR EACH ROW
       -- Not of a WhatsApp message that an SMS follows.
       WHEN (NEW.status IN ('failed', 'unknown', 'expired') AND OLD.status <> NEW.status
             AND NOT NEW.failure_announced AND NEW.sms_at IS NULL)
       EXECUTE FUNCTION announce_failed_message()`,
  ],
  appendOnly: [],
};
