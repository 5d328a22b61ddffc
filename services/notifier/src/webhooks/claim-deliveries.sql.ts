import { distinctValues } from '@fiado/chassis/db/distinct-values.sql';
import type { Db } from '@fiado/chassis/db/database';
import { oneByOne, queryNamed } from '@fiado/chassis/db/query';
import type { EventType } from '@fiado/contracts/events';
import {
  STANDING_LIMITS,
  STANDINGS,
  SLOW_AFTER_MS,
  SLOW_AFTER_FAILURES,
  type Decision,
  type Standing,
} from './delivery.rules';

/** Longer than an attempt may take; after it the sender is taken for dead, and the claim lapses. */
export const DELIVERY_CLAIM_SECONDS = 30;

/** A delivery that this process alone sends, and only in this attempt. */
export interface ClaimedDelivery {
  id: string;
  endpointId: string;
  standing: Standing;
  url: string;
  eventId: string;
  type: EventType;
  /** The JSON text that is signed and sent. */
  body: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  startedAt: Date;
}

/**
 * Claims due deliveries: selects the endpoints that were claimed longest ago, and a few deliveries of
 * each. So an endpoint with thousands of events, or one that hangs, delays no other.
 *
 * The whole statement sees one snapshot. So its counts come from rows that it locks, such as in_flight
 * of an endpoint. It waits for no lock.
 * @param places free places of each standing
 */
export async function claimDeliveries(
  db: Db,
  places: Record<Standing, number>,
): Promise<ClaimedDelivery[]> {
  return queryNamed<ClaimedDelivery>(db, 'claim-deliveries', CLAIM, [
    DELIVERY_CLAIM_SECONDS,
    STANDINGS,
    STANDINGS.map((standing) => places[standing]),
    STANDINGS.map((standing) => STANDING_LIMITS[standing].perEndpoint),
    STANDINGS.map((standing) => STANDING_LIMITS[standing].perOwner),
  ]);
}

const STANDING = `CASE WHEN slow THEN 'slow'
                   WHEN good_at > now() - interval '24 hours' THEN 'good' ELSE 'new' END`;

/** Where the endpoint asks for it, an event waits for the older ones of its subject. */
const IS_IN_ORDER = `(NOT endpoint.ordered OR NOT EXISTS (
  SELECT FROM webhook_deliveries older
   WHERE older.endpoint_id = endpoint.id AND older.subject_id = delivery.subject_id
     AND older.status IN ('pending', 'sending')
     AND (older.subject_version, older.position, older.run)
       < (delivery.subject_version, delivery.position, delivery.run)))`;

/** The endpoints that have pending deliveries, by the index webhook_deliveries_due. */
const WAITING = distinctValues({
  name: 'waiting',
  table: 'webhook_deliveries',
  column: 'endpoint_id',
  as: 'id',
  where: `status = 'pending'`,
});

const CLAIM = `
  WITH RECURSIVE standings AS (
    SELECT * FROM unnest($2::text[], $3::integer[], $4::integer[], $5::integer[])
      AS standings (standing, places, per_endpoint, per_owner)
  ), ${WAITING}, ready AS (
    -- An array: a join may read all endpoints, and look for due deliveries of each.
    SELECT id, owner_id, claimed_at, in_flight, ${STANDING} AS standing FROM webhook_endpoints
     WHERE id = ANY (ARRAY (SELECT id FROM waiting)) AND state = 'enabled'
       AND EXISTS (SELECT FROM webhook_deliveries
                    WHERE endpoint_id = webhook_endpoints.id AND status = 'pending'
                      AND next_attempt_at <= now())
  ), busy AS (
    SELECT owner_id, ${STANDING} AS standing, sum(in_flight) AS in_flight FROM webhook_endpoints
     WHERE owner_id IN (SELECT owner_id FROM ready) GROUP BY 1, 2
  ), chosen AS (
    SELECT id FROM (
      SELECT ready.id, places, row_number() OVER (PARTITION BY standing ORDER BY claimed_at, id) AS place
        FROM ready JOIN standings USING (standing) JOIN busy USING (owner_id, standing)
       WHERE ready.in_flight < per_endpoint AND busy.in_flight < per_owner
    ) ranked
     WHERE place <= places
  ), endpoint AS (
    SELECT id, owner_id, url, ordered, in_flight, claimed_at, ${STANDING} AS standing
      FROM webhook_endpoints
     WHERE id = ANY (ARRAY (SELECT id FROM chosen)) AND state = 'enabled'
       FOR UPDATE SKIP LOCKED
  ), due AS (
    SELECT delivery.id, endpoint.id AS endpoint_id, endpoint.owner_id, endpoint.url, standing,
           claimed_at, delivery.next_attempt_at,
           row_number() OVER (PARTITION BY endpoint.id ORDER BY next_attempt_at, delivery.id) AS turn
      FROM endpoint JOIN standings USING (standing)
     CROSS JOIN LATERAL (
       SELECT id, next_attempt_at FROM webhook_deliveries delivery
        WHERE endpoint_id = endpoint.id AND status = 'pending' AND next_attempt_at <= now()
          AND ${IS_IN_ORDER}
        ORDER BY next_attempt_at, id LIMIT greatest(per_endpoint - endpoint.in_flight, 0)
          FOR UPDATE SKIP LOCKED) delivery
  ), taken AS (
    -- Each endpoint's first delivery goes before anybody's second.
    SELECT id, endpoint_id, url, standing FROM (
      SELECT due.*, places, per_owner - busy.in_flight AS room,
             row_number() OVER (PARTITION BY standing ORDER BY turn, claimed_at, due.id) AS place,
             row_number() OVER (PARTITION BY standing, owner_id ORDER BY turn, claimed_at, due.id)
               AS of_owner
        FROM due JOIN standings USING (standing) JOIN busy USING (owner_id, standing)
    ) ranked
     WHERE place <= places AND of_owner <= room
  ), claimed AS (
    UPDATE webhook_deliveries
       SET status = 'sending', attempts = attempts + 1,
           claimed_until = now() + make_interval(secs => $1), updated_at = now()
      FROM taken
     WHERE webhook_deliveries.id = taken.id
    RETURNING webhook_deliveries.id, taken.endpoint_id, event_id, attempts, url, standing
  ), counted AS (
    UPDATE webhook_endpoints
       SET in_flight = in_flight + of_endpoint.count, claimed_at = clock_timestamp()
      FROM (SELECT endpoint_id, count(*)::integer AS count FROM claimed GROUP BY 1) of_endpoint
     WHERE webhook_endpoints.id = of_endpoint.endpoint_id
  )
  SELECT claimed.id, endpoint_id AS "endpointId", standing, url, event_id AS "eventId", type, body,
         claimed.attempts AS attempt, now() AS "startedAt"
    FROM claimed JOIN events ON events.id = event_id`;

/** An endpoint is disabled after all three: days without success, failures, and hours of them. */
const DISABLE_AFTER_HOURS = 72;
const DISABLE_AFTER_FAILURES = 10;
const DISABLE_FAILING_HOURS = 12;

export interface FinishedAttempt {
  claimed: Pick<ClaimedDelivery, 'id' | 'endpointId' | 'attempt' | 'startedAt'>;
  decision: Decision;
  ms: number;
  httpStatus: number | null;
  error: string | null;
  responseHead: string | null;
}

/**
 * Stores the outcomes of attempts: in their rows, their deliveries and their endpoints. Does nothing for one whose
 * claim has lapsed: by then the delivery belongs to another attempt.
 * @param attempts in the order in which they ended
 * @returns for each, whether its endpoint is disabled now
 */
export async function recordAttempts(
  db: Db,
  attempts: FinishedAttempt[],
): Promise<Array<{ disabled: boolean }>> {
  const given = attempts.map(({ claimed, decision, ...outcome }, n) => ({
    n,
    id: claimed.id,
    attempt: claimed.attempt,
    startedAt: claimed.startedAt,
    newStatus: decision.status,
    retryInSeconds: decision.status === 'pending' ? decision.retryInSeconds : 0,
    disables: 'disables' in decision ? decision.disables : null,
    ...outcome,
  }));
  const endpoints = await queryNamed<{ id: string; disabled: boolean }>(
    db,
    'record-attempts',
    RECORD,
    [JSON.stringify(given)],
  );
  const disabled = new Set(endpoints.filter((one) => one.disabled).map(({ id }) => id));
  return attempts.map(({ claimed }) => ({ disabled: disabled.has(claimed.endpointId) }));
}

/** How often an endpoint has failed since its last success, with the attempts that ended now. */
const FAILURES = `(CASE WHEN succeeded THEN 0 ELSE failures END + ended.failed)`;

/** Whether an endpoint has failed for so long that it is probably abandoned. */
const HAS_FAILED_FOR_DAYS = `
  NOT succeeded AND coalesce(good_at, enabled_at) < now() - interval '${DISABLE_AFTER_HOURS} hours'
  AND enabled_at < now() - interval '${DISABLE_AFTER_HOURS} hours'
  AND ${FAILURES} >= ${DISABLE_AFTER_FAILURES}
  AND failing_since <= now() - interval '${DISABLE_FAILING_HOURS} hours'`;

const DISABLES = `(state = 'enabled' AND (disables IS NOT NULL OR (${HAS_FAILED_FOR_DAYS})))`;

const RECORD = `
  WITH delivery AS (
    UPDATE webhook_deliveries
       SET status = "newStatus", claimed_until = NULL, last_status_code = "httpStatus",
           next_attempt_at = now() + make_interval(secs => "retryInSeconds"), updated_at = now()
      FROM json_to_recordset($1::json) AS given
        (n integer, id uuid, attempt integer, "startedAt" timestamptz, "newStatus" text,
         "retryInSeconds" float8, disables text, ms integer, "httpStatus" integer, error text,
         "responseHead" text)
     WHERE webhook_deliveries.id = given.id AND attempts = attempt AND status = 'sending'
       AND ${oneByOne('given.id')}
    RETURNING given.*, endpoint_id, "newStatus" = 'delivered' AS is_good
  ), attempt AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, started_at, ms, http_status, error, response_head)
    SELECT id, attempt, "startedAt", ms, "httpStatus", error, "responseHead" FROM delivery
  ), ended AS (
    -- Of the failures, those after the last success count, and what is slow after it.
    SELECT endpoint_id, count(*)::integer AS count, bool_or(is_good) AS succeeded,
           count(*) FILTER (WHERE n > last_good)::integer AS failed,
           bool_or(ms > ${SLOW_AFTER_MS} AND n >= last_good) AS was_slow,
           min(disables) AS disables
      FROM (SELECT *, coalesce(max(n) FILTER (WHERE is_good) OVER (PARTITION BY endpoint_id), -1)
                        AS last_good
              FROM delivery) one
     GROUP BY endpoint_id
  ), locked AS (
    -- In one order, so that two processes never wait for each other.
    SELECT id FROM webhook_endpoints WHERE id IN (SELECT endpoint_id FROM ended)
     ORDER BY id FOR UPDATE
  )
  UPDATE webhook_endpoints
     SET in_flight = in_flight - ended.count,
         good_at = CASE WHEN succeeded THEN now() ELSE good_at END,
         failures = ${FAILURES},
         failing_since = CASE WHEN ended.failed = 0 THEN NULL WHEN succeeded THEN now()
                         ELSE coalesce(failing_since, now()) END,
         slow = (slow AND NOT succeeded) OR was_slow OR ${FAILURES} >= ${SLOW_AFTER_FAILURES},
         state = CASE WHEN ${DISABLES} THEN 'disabled' ELSE state END,
         disabled_reason = CASE WHEN ${DISABLES} THEN coalesce(disables, 'failing')
                           ELSE disabled_reason END,
         disabled_told = disabled_told AND NOT ${DISABLES}
    FROM ended
   WHERE webhook_endpoints.id = ended.endpoint_id
     AND webhook_endpoints.id IN (SELECT id FROM locked)
  RETURNING webhook_endpoints.id, NOT disabled_told AS disabled`;

/** Marks an endpoint as slow while an attempt at it still runs. */
export async function markSlow(db: Db, endpointId: string): Promise<void> {
  await queryNamed(
    db,
    'mark-endpoint-slow',
    'UPDATE webhook_endpoints SET slow = true WHERE id = $1 AND NOT slow',
    [endpointId],
  );
}
