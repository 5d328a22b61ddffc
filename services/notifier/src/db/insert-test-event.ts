import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { NewEvent } from './insert-event';

/** Tests of an owner in a minute. */
const MAX_TESTS_PER_MINUTE = 10;

/**
 * Stores an event that is sent to one endpoint alone and is in no list. The row of its owner is
 * locked.
 * @returns false when the owner has made too many in the last minute
 */
export async function insertTestEvent(
  tx: Transaction,
  event: NewEvent,
  { deliveryId, endpointId }: { deliveryId: string; endpointId: string },
): Promise<boolean> {
  const rows = await query(
    tx,
    `WITH owner AS (
       UPDATE event_owners SET last_position = last_position + 1
        WHERE id = $2
          AND (SELECT count(*) FROM events
                WHERE owner_id = $2 AND is_test AND occurred_at > now() - interval '1 minute') < $9
       RETURNING last_position
     ), event AS (
       INSERT INTO events
         (id, owner_id, position, type, subject_id, subject_version, body, occurred_at, is_test)
       SELECT $1, $2, last_position, $3, $4, $5, $6, now(), true FROM owner
       RETURNING id, position
     )
     INSERT INTO webhook_deliveries
       (id, endpoint_id, event_id, run, subject_id, subject_version, position, status)
     SELECT $7, $8, id, 0, $4, $5, position, 'pending' FROM event
     RETURNING 1`,
    [
      event.id,
      event.ownerId,
      event.type,
      event.subjectId,
      event.subjectVersion,
      event.body,
      deliveryId,
      endpointId,
      MAX_TESTS_PER_MINUTE,
    ],
  );
  return rows.length === 1;
}
