import { queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import type { EventOwnerKind, EventType } from '@fiado/shared/contracts/events';

export interface NewEvent {
  id: string;
  ownerKind: EventOwnerKind;
  ownerId: string;
  type: EventType;
  subjectId: string;
  subjectVersion: number;
  body: string;
  occurredAt: Date;
}

/**
 * Stores an event unless it is there already. The row of its owner is locked until the commit, so
 * positions become visible in order: a reader that has seen an event has seen all events before it.
 */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  await queryNamed(
    db,
    'insert-event',
    `WITH owner AS (
       INSERT INTO event_owners (id, kind, last_position) VALUES ($2, $3, 1)
       ON CONFLICT (id) DO UPDATE SET last_position = event_owners.last_position + 1
        WHERE NOT EXISTS (SELECT FROM events WHERE events.id = $1)
       RETURNING last_position
     )
     INSERT INTO events
       (id, owner_id, position, type, subject_id, subject_version, body, occurred_at)
     SELECT $1, $2, last_position, $4, $5, $6, $7, $8 FROM owner
     ON CONFLICT (id) DO NOTHING`,
    [
      event.id,
      event.ownerId,
      event.ownerKind,
      event.type,
      event.subjectId,
      event.subjectVersion,
      event.body,
      event.occurredAt,
    ],
  );
}
