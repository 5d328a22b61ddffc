import type { Schema } from '@fiado/chassis/db/schema';
import { notifierBaseline } from './baseline.sql';
import { notifierTriggers } from './triggers.sql';
import { indexMigration, migration, uniqueIndexMigration } from '@fiado/chassis/db/migration';

/** What changed the tables of notifier since 1.0.0, oldest first. One that was merged is not edited. */
export const notifierMigrations: Function[] = [
  // Messages of blocked persons, of which the SMS provider still has a copy.
  migration(
    'KeepProviderCopies1796700000000',
    `
      CREATE TABLE provider_copies (
        -- Without a foreign key: the message may be deleted first.
        message_id      uuid PRIMARY KEY,
        -- Null while the provider has not reported it.
        sid             text,
        attempts        integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        created_at      timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX provider_copies_due ON provider_copies (next_attempt_at);
    `,
  ),
  // For what a paused endpoint holds, and for the failing deliveries of one endpoint. A delivery
  // that succeeds at once is never in either.
  indexMigration('IndexOpenDeliveries1797300000000', {
    webhook_deliveries_held: `ON webhook_deliveries (endpoint_id) WHERE status = 'held'`,
    webhook_deliveries_failing_of_endpoint: `ON webhook_deliveries (endpoint_id, id)
       WHERE status = 'failed' OR status = 'pending' AND attempts > 0`,
  }),
  // For the list of the messages of a template, of which there may be none. Those that most orders
  // have are found by their time, and are not written here.
  indexMigration('IndexRareTemplates1797300001000', {
    messages_of_rare_template: `ON messages (template, created_at, id)
       WHERE template NOT IN ('order-code', 'delivered', 'payment-received')`,
  }),
  // The statement that claimed a message last: a process that lost its answer finds the messages by it.
  migration('AddClaimIds1797400000000', 'ALTER TABLE messages ADD COLUMN claim_id uuid'),
  // The wholesaler whose budget of unknown numbers a message waits for; null once it is counted.
  migration(
    'HoldMessagesToUnknown1799250000200',
    'ALTER TABLE messages ADD COLUMN unproven_by uuid',
  ),
  indexMigration('IndexMessagesToUnknown1799250000300', {
    messages_to_unknown: `ON messages (unproven_by, created_at, id)
       WHERE unproven_by IS NOT NULL AND status = 'pending'`,
  }),
  migration(
    'SendByWhatsapp1799507000000',
    `
      ALTER TABLE messages
        -- 'whatsapp'; null for an SMS.
        ADD COLUMN channel text,
        -- Of a WhatsApp message: when its SMS follows, unless it is delivered before. Null once that is settled.
        ADD COLUMN sms_at timestamptz,
        -- Of an SMS: the WhatsApp message that it follows.
        ADD COLUMN follows uuid;
      -- Blind indexes of phones, and when WhatsApp did not know them.
      CREATE TABLE numbers_without_whatsapp (
        phone_index bytea PRIMARY KEY,
        found_at    timestamptz NOT NULL DEFAULT now()
      );
    `,
  ),
  indexMigration('IndexWhatsapp1799507001000', {
    messages_sms_owed: 'ON messages (sms_at) WHERE sms_at IS NOT NULL',
  }),
  uniqueIndexMigration('FollowWhatsappOnce1799507002000', {
    messages_following: 'ON messages (follows) WHERE follows IS NOT NULL',
  }),
  // A trigger that is there stays as it is: that of 1.0.0 announced a WhatsApp message that an SMS follows. A new
  // schema gets it after its migrations.
  migration(
    'AnnounceFailureWithoutSms1799572000000',
    `
      DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_trigger
                    WHERE tgrelid = 'messages'::regclass AND tgname = 'announce_failed_message') THEN
          CREATE OR REPLACE TRIGGER announce_failed_message BEFORE UPDATE ON messages FOR EACH ROW
            WHEN (NEW.status IN ('failed', 'unknown', 'expired') AND OLD.status <> NEW.status
                  AND NOT NEW.failure_announced AND NEW.sms_at IS NULL)
            EXECUTE FUNCTION announce_failed_message();
        END IF;
      END $$;
    `,
  ),
];

export const notifierSchema: Schema = {
  name: 'notifier',
  entities: () => (require('./entities') as typeof import('./entities')).notifierEntities,
  baseline: notifierBaseline,
  migrations: notifierMigrations,
  triggers: notifierTriggers,
};
