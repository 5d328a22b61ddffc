import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { AnnounceEvent } from '@fiado/contracts/jobs/announce-event';
import { patternsOf } from './event-patterns.rules';

/**
 * How long an ordered endpoint waits before an event is sent, in seconds: jobs of one subject may
 * overtake each other by milliseconds.
 */
const ORDER_SECONDS = 1;

/** An event to store. */
export interface NewEvent extends AnnounceEvent {
  id: string;
  occurredAt: Date;
}

/**
 * Stores events unless they are there already, with a delivery for each endpoint of their owner that
 * wants them. The row of an owner is locked until the commit, so positions become visible in order:
 * a reader that has seen an event has seen all events before it.
 * @returns for each event, whether there is a delivery to make
 */
export async function insertEvents(db: Db, events: NewEvent[]): Promise<boolean[]> {
  const rows = await queryNamed<{ eventId: string }>(db, 'insert-events', INSERT, [
    JSON.stringify(events.map((event, n) => ({ ...event, n, patterns: patternsOf(event.type) }))),
    ORDER_SECONDS,
  ]);
  const delivered = new Set(rows.map(({ eventId }) => eventId));
  return events.map(({ id }) => delivered.has(id));
}

const INSERT = `
  WITH fresh AS MATERIALIZED (
    SELECT given.*, row_number() OVER (PARTITION BY "ownerId" ORDER BY n) AS place,
           count(*) OVER (PARTITION BY "ownerId") AS of_owner
      FROM json_to_recordset($1::json) AS given
        (n integer, id uuid, "ownerKind" text, "ownerId" uuid, type text, patterns text[],
         "subjectId" uuid, "subjectVersion" bigint, body text, "occurredAt" timestamptz)
     WHERE NOT EXISTS (SELECT FROM events WHERE events.id = given.id OFFSET 0)
  ), owner AS (
    -- In one order, so that two processes never wait for each other.
    INSERT INTO event_owners (id, kind, last_position)
    SELECT "ownerId", min("ownerKind"), count(*) FROM fresh GROUP BY 1 ORDER BY 1
    ON CONFLICT (id) DO UPDATE
       SET last_position = event_owners.last_position + excluded.last_position
    RETURNING id, last_position
  ), event AS (
    INSERT INTO events
      (id, owner_id, position, type, subject_id, subject_version, body, occurred_at)
    SELECT fresh.id, "ownerId", last_position - of_owner + place, type, "subjectId",
           "subjectVersion", body, "occurredAt"
      FROM fresh JOIN owner ON owner.id = "ownerId"
    ON CONFLICT (id) DO NOTHING
    RETURNING id, position
  )
  INSERT INTO webhook_deliveries
    (id, endpoint_id, event_id, run, subject_id, subject_version, position, status,
     next_attempt_at)
  SELECT uuidv7(), endpoint.id, event.id, 0, "subjectId", "subjectVersion", event.position,
         CASE state WHEN 'enabled' THEN 'pending' ELSE 'held' END,
         now() + CASE WHEN ordered THEN make_interval(secs => $2) ELSE '0' END
    FROM event JOIN fresh USING (id) CROSS JOIN LATERAL (
      SELECT id, state, ordered FROM webhook_endpoints
       WHERE owner_id = "ownerId" AND events && patterns AND state <> 'deleted' OFFSET 0) endpoint
  ON CONFLICT DO NOTHING
  RETURNING event_id`;
