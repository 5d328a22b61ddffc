import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import { ValidationError } from '@fiado/contracts/errors';
import { eventIdOf, type FiadoEvent } from '@fiado/contracts/events';
import type { AnnounceEvent } from '@fiado/contracts/jobs/announce-event';
import type { Context } from '../context';
import { patternsOf } from './event-patterns.rules';

/**
 * How long an ordered endpoint waits before an event is sent, in seconds: jobs of one subject may
 * overtake each other by milliseconds.
 */
const ORDER_SECONDS = 1;

/**
 * Stores an event that another service announces, once.
 * @param id of the job, the same however often it is delivered; the event has the same
 * @throws ValidationError when the body is not the event that the job names: receivers would drop it
 */
export async function takeEvent(
  { db, webhookSender }: Pick<Context, 'db' | 'webhookSender'>,
  id: string,
  event: AnnounceEvent,
): Promise<void> {
  const occurredAt = new Date(checkedBody(id, event).timestamp);
  const deliveries = await insertEvent(db, { id, occurredAt }, event);
  if (deliveries > 0) webhookSender.wake();
}

function checkedBody(id: string, { type, body }: AnnounceEvent): FiadoEvent {
  const event = parsed(body) as Partial<FiadoEvent> | undefined;
  if (event?.id !== eventIdOf(id) || event.type !== type) {
    throw new ValidationError(['body must be the JSON of the event with the id of the job']);
  }
  if (Number.isNaN(Date.parse(event.timestamp ?? ''))) {
    throw new ValidationError(['body.timestamp must be an ISO 8601 timestamp']);
  }
  return event as FiadoEvent;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Stores an event unless it is there already, with a delivery for each endpoint of its owner that
 * wants it. The row of its owner is locked until the commit, so positions become visible in order:
 * a reader that has seen an event has seen all events before it.
 * @returns how many deliveries there are to make
 */
export async function insertEvent(
  db: Db,
  { id, occurredAt }: { id: string; occurredAt: Date },
  event: AnnounceEvent,
): Promise<number> {
  const deliveries = await queryNamed(
    db,
    'insert-event',
    `WITH owner AS (
       INSERT INTO event_owners (id, kind, last_position) VALUES ($2, $3, 1)
       ON CONFLICT (id) DO UPDATE SET last_position = event_owners.last_position + 1
        WHERE NOT EXISTS (SELECT FROM events WHERE events.id = $1)
       RETURNING last_position
     ), event AS (
       INSERT INTO events
         (id, owner_id, position, type, subject_id, subject_version, body, occurred_at)
       SELECT $1, $2, last_position, $4, $5, $6, $7, $8 FROM owner
       ON CONFLICT (id) DO NOTHING
       RETURNING id, position
     )
     INSERT INTO webhook_deliveries
       (id, endpoint_id, event_id, run, subject_id, subject_version, position, status,
        next_attempt_at)
     SELECT uuidv7(), endpoint.id, event.id, 0, $5, $6, event.position,
            CASE state WHEN 'enabled' THEN 'pending' ELSE 'held' END,
            now() + CASE WHEN ordered THEN make_interval(secs => $10) ELSE '0' END
       FROM event CROSS JOIN webhook_endpoints endpoint
      WHERE owner_id = $2 AND events && $9::text[] AND state <> 'deleted'
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    [
      id,
      event.ownerId,
      event.ownerKind,
      event.type,
      event.subjectId,
      event.subjectVersion,
      event.body,
      occurredAt,
      patternsOf(event.type),
      ORDER_SECONDS,
    ],
  );
  return deliveries.length;
}
