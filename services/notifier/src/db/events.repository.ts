import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

export interface EventFilter {
  ownerId: string;
  types: readonly string[] | undefined;
  from: Date | undefined;
  /** Exclusive upper bound. */
  to: Date | undefined;
  /** Position of the last event of the page before. */
  afterPosition: number | undefined;
  limit: number;
}

export interface ListedEvent {
  id: string;
  /** The JSON text of the event. */
  body: string;
}

/** Events of an owner, oldest first. */
export function findEvents(db: Db, filter: EventFilter): Promise<ListedEvent[]> {
  const { ownerId, types, from, to, afterPosition, limit } = filter;
  return query<ListedEvent>(
    db,
    `SELECT id, body FROM events
      WHERE owner_id = $1 AND NOT is_test
        AND position > coalesce($2::bigint, 0)
        AND ($3::text[] IS NULL OR type = ANY ($3))
        AND ($4::timestamptz IS NULL OR occurred_at >= $4)
        AND ($5::timestamptz IS NULL OR occurred_at < $5)
      ORDER BY position LIMIT $6`,
    [ownerId, afterPosition ?? null, types ?? null, from ?? null, to ?? null, limit],
  );
}

/** Position of an event of the owner; undefined if there is none. */
export async function findPosition(
  db: Db,
  ownerId: string,
  eventId: string,
): Promise<number | undefined> {
  const [event] = await query<{ position: number }>(
    db,
    'SELECT position FROM events WHERE id = $1 AND owner_id = $2',
    [eventId, ownerId],
  );
  return event?.position;
}
