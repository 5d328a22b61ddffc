import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { Decision } from '../domain/delivery';
import { LEAVE_LANE_MS, SLOW_AFTER_FAILURES } from '../domain/lane';
import type { ClaimedDelivery } from './claim-deliveries';

/** An endpoint is disabled after all three: days without success, failures, and hours of them. */
const DISABLE_AFTER_HOURS = 72;
const DISABLE_AFTER_FAILURES = 10;
const DISABLE_FAILING_HOURS = 12;

export interface FinishedAttempt {
  claimed: Pick<ClaimedDelivery, 'id' | 'attempt' | 'startedAt'>;
  decision: Decision;
  ms: number;
  httpStatus: number | null;
  error: string | null;
  responseHead: string | null;
}

/** Whether an attempt succeeded; $3 is its delivery's new status. */
const OK = `$3 = 'delivered'`;
/** Whether the endpoint has failed for so long that nobody seems to care. */
const HAS_FAILED_FOR_DAYS = `
  coalesce(good_at, enabled_at) < now() - interval '${DISABLE_AFTER_HOURS} hours'
  AND enabled_at < now() - interval '${DISABLE_AFTER_HOURS} hours'
  AND failures + 1 >= ${DISABLE_AFTER_FAILURES}
  AND failing_since <= now() - interval '${DISABLE_FAILING_HOURS} hours'`;
const DISABLES = `(NOT ${OK} AND state = 'enabled' AND ($10::text IS NOT NULL OR ${HAS_FAILED_FOR_DAYS}))`;

const RECORD = `
  WITH delivery AS (
    UPDATE webhook_deliveries
       SET status = $3, claimed_until = NULL, last_status_code = $6,
           next_attempt_at = now() + make_interval(secs => $4), updated_at = now()
     WHERE id = $1 AND attempts = $2 AND status = 'sending'
    RETURNING id, endpoint_id
  ), attempt AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, started_at, ms, http_status, error, response_head)
    SELECT id, $2, $5, $9, $6, $7, $8 FROM delivery
  )
  UPDATE webhook_endpoints
     SET in_flight = in_flight - 1,
         good_at = CASE WHEN ${OK} THEN now() ELSE good_at END,
         failures = CASE WHEN ${OK} THEN 0 ELSE failures + 1 END,
         failing_since = CASE WHEN ${OK} THEN NULL ELSE coalesce(failing_since, now()) END,
         slow = CASE WHEN ${OK} THEN $9 > ${LEAVE_LANE_MS}
                ELSE slow OR $9 > ${LEAVE_LANE_MS} OR failures + 1 >= ${SLOW_AFTER_FAILURES} END,
         state = CASE WHEN ${DISABLES} THEN 'disabled' ELSE state END,
         disabled_reason = CASE WHEN ${DISABLES} THEN coalesce($10, 'failing')
                           ELSE disabled_reason END,
         disabled_told = disabled_told AND NOT ${DISABLES}
    FROM delivery WHERE webhook_endpoints.id = delivery.endpoint_id
  RETURNING NOT disabled_told AS disabled`;

/**
 * Writes down the outcome of an attempt: its row, the delivery's and what it tells of the endpoint.
 * Nothing, when the claim has lapsed: the delivery is another attempt's by then.
 * @returns whether the endpoint is disabled now
 */
export async function recordAttempt(
  db: Db,
  { claimed, decision, ms, httpStatus, error, responseHead }: FinishedAttempt,
): Promise<{ disabled: boolean }> {
  const [endpoint] = await queryNamed<{ disabled: boolean }>(db, 'record-attempt', RECORD, [
    claimed.id,
    claimed.attempt,
    decision.status,
    decision.status === 'pending' ? decision.retryInSeconds : 0,
    claimed.startedAt,
    httpStatus,
    error,
    responseHead,
    ms,
    'disables' in decision ? decision.disables : null,
  ]);
  return { disabled: endpoint?.disabled ?? false };
}

/** Moves an endpoint to the slow lane while an attempt at it still runs. */
export async function markSlow(db: Db, endpointId: string): Promise<void> {
  await queryNamed(
    db,
    'mark-endpoint-slow',
    'UPDATE webhook_endpoints SET slow = true WHERE id = $1 AND NOT slow',
    [endpointId],
  );
}
