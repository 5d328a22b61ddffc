import {
  everyRow,
  OUTBOX_SCAN,
  recentRows,
  type Invariant,
  type Scan,
} from '@fiado/chassis/invariants/scans';
import { CLAIM_SECONDS } from '../messages/claim-messages.sql';
import { LATE_MS, MAX_RETRY_AFTER_MS } from '../messages/outcome.rules';

/** A statement that began before this one may have written a little later time. */
const CLOCK_SECONDS = 60;

/** Checks of messages with the ids $1. */
const CHECKS_OF_MESSAGES: Invariant[] = [
  {
    name: 'a provider accepted each message at most once',
    violations: `
      SELECT message_id, count(*) AS accepted FROM message_attempts
       WHERE message_id = ANY($1) AND outcome = 'sent'
       GROUP BY message_id HAVING count(*) > 1`,
  },
  {
    // An attempt whose sender was lost has a row too, as unknown.
    name: 'each message that was sent has its attempt',
    violations: `
      SELECT m.id AS "messageId", m.status, m.attempts, tried.count AS rows
        FROM messages m CROSS JOIN LATERAL (
          SELECT count(*), max(number) AS last FROM message_attempts WHERE message_id = m.id) tried
       WHERE m.id = ANY($1)
         AND (m.status IN ('sent', 'delivered')
                AND (tried.count = 0 OR m.sent_at IS NULL OR m.provider IS NULL)
              OR tried.last > m.attempts)`,
  },
  {
    name: 'an SMS follows a WhatsApp message that has ended, or was late',
    violations: `
      SELECT m.id AS "messageId", m.follows, whatsapp.status, whatsapp.sms_at
        FROM messages m JOIN messages whatsapp ON whatsapp.id = m.follows
       WHERE m.id = ANY($1)
         AND (whatsapp.channel IS DISTINCT FROM 'whatsapp' OR whatsapp.sms_at IS NOT NULL
              OR whatsapp.status IN ('pending', 'sending')
              OR m.channel IS NOT NULL OR m.phone_index <> whatsapp.phone_index)`,
  },
];

/** Only where messages are wiped: the sandbox keeps them readable. */
const WIPED: Invariant = {
  name: 'no final message keeps its phone number or text',
  violations: `
    SELECT id AS "messageId", status FROM messages
     WHERE id = ANY($1) AND sealed IS NOT NULL AND status NOT IN ('pending', 'sending')
       AND sms_at IS NULL
       -- An unknown message keeps them until it expires, and a round of the loop longer.
       AND (status <> 'unknown' OR expires_at < now() - interval '60 seconds')`,
};

const OTHER_SCANS: Scan[] = [
  {
    name: 'waiting-messages',
    checks: [
      {
        name: 'no message is sending 60 s after its claim ended',
        violations: `
            SELECT id AS "messageId", claimed_until FROM messages
             WHERE status = 'sending' AND claimed_until < now() - interval '60 seconds'`,
      },
      {
        name: 'no due message waits longer than 60 s, except beyond its wholesaler’s limit',
        violations: `
            SELECT id AS "messageId", next_attempt_at FROM messages
             WHERE status = 'pending' AND next_attempt_at < now() - interval '60 seconds'
               AND NOT EXISTS (
                 SELECT FROM claims_of_minute
                  WHERE claims_of_minute.wholesaler_id = messages.wholesaler_id
                    AND full_minute > now() - interval '2 minutes')`,
      },
      {
        name: 'no SMS that follows a WhatsApp message is owed for longer than 60 s',
        violations: `
            SELECT id AS "messageId", sms_at FROM messages
             WHERE sms_at < now() - interval '60 seconds' AND status <> 'sending'`,
      },
      {
        name: 'no webhook is being sent 60 s after its claim ended',
        violations: `
            SELECT id AS "deliveryId", claimed_until FROM webhook_deliveries
             WHERE status = 'sending' AND claimed_until < now() - interval '60 seconds'`,
      },
    ],
  },
  {
    name: 'provider-copies',
    checks: [
      {
        name: 'the SMS provider has deleted its copies of the messages to a blocked person within a day',
        violations: `
            SELECT message_id AS "messageId", attempts FROM provider_copies
             WHERE sid IS NOT NULL AND created_at < now() - interval '1 day'`,
      },
    ],
  },
  {
    name: 'webhook-endpoints',
    rows: everyRow('webhook_endpoints'),
    checks: [
      {
        name: 'a webhook endpoint has as many places taken as deliveries are being sent to it',
        violations: `
            SELECT id AS "webhookEndpointId", in_flight FROM webhook_endpoints
             WHERE id = ANY($1) AND in_flight <>
               (SELECT count(*) FROM webhook_deliveries
                 WHERE endpoint_id = webhook_endpoints.id AND status = 'sending')`,
      },
    ],
  },
  {
    name: 'event-owners',
    rows: everyRow('event_owners'),
    checks: [
      {
        name: 'the last place among the events of an owner is that of its newest event',
        violations: `
            SELECT o.id AS "ownerId", o.last_position, newest.position
              FROM event_owners o CROSS JOIN LATERAL (
                SELECT position FROM events WHERE owner_id = o.id
                 ORDER BY position DESC LIMIT 1) newest
             WHERE o.id = ANY($1) AND newest.position <> o.last_position`,
      },
    ],
  },
];

/**
 * Checks of messages that wait or are being sent.
 * @param longestMs the longest pause between two attempts
 */
const dueTimes = (longestMs: number): Invariant => ({
  name: 'no message is claimed for longer than a claim lasts, or waits longer than the longest pause',
  violations: `
    SELECT id AS "messageId", status, claimed_until, next_attempt_at FROM messages
     WHERE status = 'sending'
           AND claimed_until > now() + make_interval(secs => ${CLAIM_SECONDS + CLOCK_SECONDS})
        -- One that waits for the budget of unproven numbers is due when it expires.
        OR status = 'pending' AND unproven_by IS NULL
           AND next_attempt_at > now() + make_interval(secs => ${longestMs / 1_000 + CLOCK_SECONDS})`,
});

/**
 * The invariants of the notifier.
 * @param wiped whether a message that is over must have forgotten its phone and text
 */
export function scansOf({ wiped }: { wiped: boolean }): Scan[] {
  return [
    {
      name: 'messages',
      rows: recentRows('messages'),
      checks: wiped ? [...CHECKS_OF_MESSAGES, WIPED] : CHECKS_OF_MESSAGES,
    },
    {
      name: 'due-messages',
      checks: [dueTimes(wiped ? MAX_RETRY_AFTER_MS : LATE_MS)],
    },
    ...OTHER_SCANS,
    OUTBOX_SCAN,
  ];
}
