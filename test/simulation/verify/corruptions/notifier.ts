import { messageOf, outboxRow, type Corruption } from './corruption';

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
];
