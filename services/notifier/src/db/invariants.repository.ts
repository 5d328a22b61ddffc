import { query, type Db } from '@fiado/shared/chassis/db/query';
import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/shared/contracts/invariants';

interface Check {
  name: string;
  /** The rows at fault. */
  violations: string;
}

/** Each fact that must hold, and the statement that finds the rows at fault. */
const CHECKS: Check[] = [
  {
    name: 'a provider accepted each message at most once',
    violations: `
      SELECT message_id, count(*) AS accepted FROM message_attempts
       WHERE outcome = 'sent' GROUP BY message_id HAVING count(*) > 1`,
  },
  {
    name: 'no message is being sent for 60 s past its claim',
    violations: `
      SELECT id, claimed_until FROM messages
       WHERE status = 'sending' AND claimed_until < now() - interval '60 seconds'`,
  },
  {
    name: 'no message waits for 60 s past its time',
    violations: `
      SELECT id, next_attempt_at FROM messages
       WHERE status = 'pending' AND next_attempt_at < now() - interval '60 seconds'`,
  },
  {
    name: 'no job waits longer than 60 s for its queue',
    violations: `
      SELECT id, type, created_at FROM outbox
       WHERE enqueued_at IS NULL AND created_at < now() - interval '60 seconds'`,
  },
  {
    name: 'no job is dead',
    violations:
      'SELECT id, type, dead_at FROM outbox WHERE dead_at IS NOT NULL AND done_at IS NULL',
  },
];

/** Only where messages are wiped: the sandbox keeps them readable. */
const WIPED: Check = {
  name: 'a message that is over has forgotten its phone and its text',
  violations: `
    SELECT id, status FROM messages
     WHERE sealed IS NOT NULL AND status NOT IN ('pending', 'sending')`,
};

/** @param wiped whether a message that is over must have forgotten its phone and text */
export async function findViolations(
  db: Db,
  { wiped }: { wiped: boolean },
): Promise<InvariantCheck[]> {
  const checks: InvariantCheck[] = [];
  for (const { name, violations } of wiped ? [...CHECKS, WIPED] : CHECKS) {
    const rows = await query(db, `${violations} LIMIT ${MAX_VIOLATIONS}`);
    checks.push({ name, holds: rows.length === 0, violations: rows });
  }
  return checks;
}
