import { messageOf, OTHER, outboxRow, type Corruption } from './corruption';

export const NOTIFIER: Corruption[] = [
  {
    name: 'a sent message without its attempt',
    plant: `DELETE FROM notifier.message_attempts WHERE message_id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'has its attempt'],
  },
  {
    name: 'a message that is shown as sent and waits',
    plant: `INSERT INTO notifier.messages (id, template, subject_id, phone_index, phone_masked, status,
                                          sealed, expires_at)
            SELECT overlay(id::text PLACING '0000' FROM 33)::uuid, template, subject_id, phone_index, phone_masked, 'sent', sealed, expires_at
              FROM notifier.messages LIMIT 1`,
    reportedBy: ['notifier', 'has its attempt'],
  },
  {
    name: 'a message that was accepted twice',
    plant: `UPDATE notifier.messages SET attempts = 2 WHERE id = ${messageOf('held')};
            INSERT INTO notifier.message_attempts (message_id, number, started_at, outcome)
            VALUES (${messageOf('held')}, 2, simulated.now(), 'sent')`,
    reportedBy: ['notifier', 'at most once'],
  },
  {
    name: 'a message that is being sent for ever',
    plant: `UPDATE notifier.messages
               SET status = 'sending', claimed_until = simulated.now() - interval '2 minutes'
             WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'no message is sending'],
  },
  {
    name: 'a job of the notifier that waits for two hours',
    plant: outboxRow('notifier', { created_at: `simulated.now() - interval '2 hours'` }),
    reportedBy: ['notifier', 'older than 1 hour'],
  },
  {
    name: 'a dead letter of the notifier',
    plant: outboxRow('notifier', { enqueued_at: 'simulated.now()', dead_at: 'simulated.now()' }),
    reportedBy: ['notifier', 'dead letter'],
  },
  {
    name: 'a sent message without its time',
    plant: `UPDATE notifier.messages SET sent_at = NULL WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'has its attempt'],
  },
  {
    name: 'a sent message that no provider sent',
    plant: `UPDATE notifier.messages SET provider = NULL WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'has its attempt'],
  },
  {
    name: 'a message with more attempts than it counts',
    plant: `UPDATE notifier.messages SET attempts = 0 WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'has its attempt'],
  },
  {
    name: 'a message that is due for two minutes',
    plant: `UPDATE notifier.messages
               SET status = 'pending', next_attempt_at = simulated.now() - interval '2 minutes'
             WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'no due message waits'],
  },
  {
    name: 'a message that is claimed for a day',
    plant: `UPDATE notifier.messages
               SET status = 'sending', claimed_until = simulated.now() + interval '1 day'
             WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'longer than a claim lasts'],
  },
  {
    name: 'a message that waits for two days',
    plant: `UPDATE notifier.messages
               SET status = 'pending', next_attempt_at = simulated.now() + interval '2 days'
             WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'longer than a claim lasts'],
  },
  {
    name: 'a webhook that is being sent for ever',
    plant: `INSERT INTO notifier.webhook_deliveries (id, endpoint_id, event_id, run, subject_id,
              subject_version, position, status, claimed_until)
            VALUES (${OTHER}, ${OTHER}, ${OTHER}, 1, ${OTHER}, 1, 1, 'sending',
                    simulated.now() - interval '2 minutes')`,
    reportedBy: ['notifier', 'no webhook is being sent'],
  },
  {
    name: 'an SMS that has been owed for two minutes',
    plant: `UPDATE notifier.messages
               SET channel = 'whatsapp', sms_at = simulated.now() - interval '2 minutes'
             WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'is owed for longer'],
  },
  {
    name: 'an SMS that follows one that was no WhatsApp message',
    plant: `INSERT INTO notifier.messages (id, template, subject_id, phone_index, phone_masked, status,
                                          expires_at, follows)
            SELECT overlay(id::text PLACING '0001' FROM 33)::uuid, template, subject_id, phone_index, phone_masked,
                   'failed', expires_at, id
              FROM notifier.messages WHERE id = ${messageOf('held')}`,
    reportedBy: ['notifier', 'an SMS follows a WhatsApp message'],
  },
  {
    name: 'a copy at the SMS provider of a message to a blocked person, after two days',
    plant: `INSERT INTO notifier.provider_copies (message_id, sid, created_at)
            VALUES (${OTHER}, 'SM1', simulated.now() - interval '2 days')`,
    reportedBy: ['notifier', 'the SMS provider has deleted its copies'],
  },
  {
    name: 'a place of a webhook endpoint that nothing takes',
    plant: `INSERT INTO notifier.webhook_endpoints (id, owner_id, url, events, ordered, in_flight)
            VALUES (${OTHER}, $north, 'https://example.com', '{}', true, 1)`,
    reportedBy: ['notifier', 'as many places taken'],
  },
  {
    name: 'an owner whose newest event is gone',
    plant: `INSERT INTO notifier.event_owners (id, kind, last_position) VALUES (${OTHER}, 'wholesaler', 2);
            INSERT INTO notifier.events (id, owner_id, position, type, subject_id, subject_version,
                                         body, occurred_at)
            VALUES (${OTHER}, ${OTHER}, 1, 'transaction.paid', ${OTHER}, 1, '{}', simulated.now())`,
    reportedBy: ['notifier', 'the last place among the events'],
  },
];
