import type { TimelineEntry, TimelineQuestion } from '@fiado/contracts/timeline';
import type { Db } from './database';
import { query } from './query';

/** Of a service that keeps refusals: those that concern the corner store $1. */
export const REFUSALS_OF_STORE = `
  SELECT refused_at AS at, 'request.refused' AS type, id::text AS id, wholesaler_id,
         NULL::uuid AS subject_id,
         ids || jsonb_build_object('operation', operation, 'errorCode', error_code,
                                   'requestId', request_id) AS details
    FROM refusals WHERE corner_store_id = $1`;

/**
 * A service's entries of a corner store's timeline, newest first.
 * @param parts SQL of each kind of entry: at, type, id (text), wholesaler_id, subject_id and details
 *   (jsonb). $1 is the corner store, and `more` follow from $7
 */
export function findTimeline(
  db: Db,
  question: TimelineQuestion,
  parts: string[],
  more: unknown[] = [],
): Promise<TimelineEntry[]> {
  const { cornerStoreId, from, to, beforeMicros, beforeKey, limit } = question;
  return query<TimelineEntry>(
    db,
    `SELECT (extract(epoch FROM at) * 1000000)::bigint AS "atMicros", key, type, wholesaler_id,
            subject_id, details
       FROM (SELECT *, (type || ':' || id) COLLATE "C" AS key
               FROM (${parts.join('\nUNION ALL\n')}) part) entry
      WHERE ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)
        AND ($4::bigint IS NULL
             OR (at, key) < ('epoch'::timestamptz + $4::bigint * interval '1 microsecond', $5::text))
      ORDER BY at DESC, key DESC LIMIT $6`,
    [
      cornerStoreId,
      from ?? null,
      to ?? null,
      beforeMicros ?? null,
      beforeKey ?? null,
      limit,
      ...more,
    ],
  );
}
