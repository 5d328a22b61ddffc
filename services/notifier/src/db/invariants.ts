import type { Invariant } from '@fiado/shared/chassis/db/invariants';

/** The invariants of the notifier. */
const INVARIANTS: Invariant[] = [
  {
    name: 'a provider accepted each message at most once',
    violations: `
      SELECT message_id, count(*) AS accepted FROM message_attempts
       WHERE outcome = 'sent' GROUP BY message_id HAVING count(*) > 1`,
  },
  {
    name: 'no message is sending 60 s after its claim ended',
    violations: `
      SELECT id, claimed_until FROM messages
       WHERE status = 'sending' AND claimed_until < now() - interval '60 seconds'`,
  },
  {
    name: 'no due message waits longer than 60 s, except beyond its wholesaler’s limit',
    violations: `
      SELECT id, next_attempt_at FROM messages
       WHERE status = 'pending' AND next_attempt_at < now() - interval '60 seconds'
         AND NOT EXISTS (
           SELECT FROM claims_of_minute
            WHERE claims_of_minute.wholesaler_id = messages.wholesaler_id
              AND full_minute > now() - interval '2 minutes')`,
  },
  {
    name: 'a webhook endpoint has as many places taken as deliveries are being sent to it',
    violations: `
      SELECT id, in_flight FROM webhook_endpoints WHERE in_flight <>
        (SELECT count(*) FROM webhook_deliveries
          WHERE endpoint_id = webhook_endpoints.id AND status = 'sending')`,
  },
  {
    name: 'no webhook is being sent 60 s after its claim ended',
    violations: `
      SELECT id, claimed_until FROM webhook_deliveries
       WHERE status = 'sending' AND claimed_until < now() - interval '60 seconds'`,
  },
  {
    name: 'no job waits longer than 60 s for its queue',
    violations: `
      SELECT id, type, created_at FROM outbox
       WHERE enqueued_at IS NULL AND created_at < now() - interval '60 seconds'`,
  },
  {
    name: 'no job is a dead letter',
    violations:
      'SELECT id, type, dead_at FROM outbox WHERE dead_at IS NOT NULL AND done_at IS NULL',
  },
];

/** Only where messages are wiped: the sandbox keeps them readable. */
const WIPED: Invariant = {
  name: 'no final message keeps its phone number or text',
  violations: `
    SELECT id, status FROM messages
     WHERE sealed IS NOT NULL AND status NOT IN ('pending', 'sending')`,
};

/** @param wiped whether a message that is over must have forgotten its phone and text */
export function invariantsWhere({ wiped }: { wiped: boolean }): Invariant[] {
  return wiped ? [...INVARIANTS, WIPED] : INVARIANTS;
}
