import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { Outcome, SmsFailure } from '../domain/outcome';
import type { ClaimedMessage } from './claim-messages';

/** The outcome of one attempt. */
export interface FinishedAttempt {
  claimed: Pick<ClaimedMessage, 'id' | 'attempt' | 'startedAt'>;
  outcome: Outcome;
  failure?: SmsFailure;
}

/**
 * Stores the outcomes of attempts in the rows of attempts and messages, in one statement. Safe to
 * repeat after a lost answer.
 * @param wipe whether phone and values are deleted from a final message
 */
export async function storeAttempts(
  db: Db,
  attempts: FinishedAttempt[],
  wipe: boolean,
): Promise<void> {
  await queryNamed(db, 'store-attempts', STORE, [JSON.stringify(attempts.map(recordOf)), wipe]);
}

function recordOf({ claimed, outcome, failure }: FinishedAttempt): object {
  const { id, attempt, startedAt } = claimed;
  return {
    id,
    attempt,
    started_at: startedAt,
    outcome: outcome.status,
    reason: 'reason' in outcome ? outcome.reason : null,
    sid: outcome.status === 'sent' ? outcome.sid : null,
    retry_seconds: outcome.status === 'pending' ? outcome.retryInMs / 1_000 : 0,
    ...(failure?.kind === 'answered'
      ? { http_status: failure.httpStatus, provider_code: failure.providerCode }
      : {}),
  };
}

const STORE = `
  WITH finished AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS attempt
      (id uuid, attempt integer, started_at timestamptz, outcome text, reason text, sid text,
       retry_seconds float8, http_status integer, provider_code text)
     -- Always true: makes the planner expect one row, and look each message up by its id. Planned
     -- while the table is new, the statement read an index as a whole, 59 ms at 10,000 messages.
     WHERE attempt.attempt = greatest(attempt.attempt, 1)
  ), stored AS (
    INSERT INTO message_attempts
      (message_id, number, started_at, outcome, http_status, provider_code)
    SELECT id, attempt, started_at, outcome, http_status, provider_code FROM finished
    -- An attempt whose sender seemed lost, or that was reported before its answer.
    ON CONFLICT (message_id, number) DO UPDATE
      SET outcome = excluded.outcome, http_status = excluded.http_status,
          provider_code = excluded.provider_code, finished_at = excluded.finished_at
      WHERE message_attempts.outcome = 'unknown'
  )
  UPDATE messages
     SET status = outcome, status_reason = reason, provider_sid = sid, claimed_until = NULL,
         sent_at = CASE WHEN outcome = 'sent' THEN now() END,
         next_attempt_at = now() + make_interval(secs => retry_seconds),
         -- What may be sent again needs its phone: an unknown message until it expires.
         sealed = CASE WHEN $2 AND outcome NOT IN ('pending', 'unknown') THEN NULL ELSE sealed END,
         updated_at = now()
    FROM finished
   WHERE messages.id = finished.id AND attempts = finished.attempt
     -- An answer that comes after the claim lapsed still settles the unknown, never revives it.
     AND (status = 'sending' OR (status = 'unknown' AND outcome IN ('sent', 'failed')))`;
