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

/** SQL of the moment up to which entries are shown. */
export const TIMELINE_END = `coalesce(least($3::timestamptz,
  'epoch'::timestamptz + $4::bigint * interval '1 microsecond'), 'infinity')`;

/** The page of one part. `at` alone, beside the cursor's key, is what an index can begin with. */
const pageOfPart = (part: string): string => `
  (SELECT entry.*
     FROM (SELECT part.*, (type || ':' || id) COLLATE "C" AS key
             FROM (${part}) AS part (at, type, id, wholesaler_id, subject_id, details)) entry
    WHERE ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)
      AND ($4::bigint IS NULL
           OR at <= 'epoch'::timestamptz + $4::bigint * interval '1 microsecond'
              AND (at, key) < ('epoch'::timestamptz + $4::bigint * interval '1 microsecond', $5::text))
    ORDER BY at DESC, key DESC LIMIT $6)`;

/**
 * A service's entries of a corner store's timeline, newest first. Each part is read up to the page's
 * length only: with an index by store and time its history costs nothing.
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
       FROM (${parts.map(pageOfPart).join('\nUNION ALL\n')}) page
      ORDER BY at DESC, key DESC LIMIT $6`,
    [cornerStoreId, from, to, beforeMicros, beforeKey, limit, ...more],
  );
}
