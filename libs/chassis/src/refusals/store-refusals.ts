import type { Db } from '../db/database';
import { query } from '../db/query';
import { STORED_PER_DAY, type WaitingRefusals } from './refusal-buffer';

/**
 * Counts refusals, and stores those that are among the first STORED_PER_DAY of their wholesaler's
 * day, in one statement. The rows of the counts are locked in one order, so that several instances
 * do not deadlock.
 * @param cornerStoreOf SQL of the corner store that a row `given` concerns: a customer of its
 *   wholesaler, or null. A wholesaler must not write into the timeline of another's store
 * @returns the wholesalers whose day is used up
 */
export async function storeRefusals(
  db: Db,
  waiting: WaitingRefusals[],
  cornerStoreOf: string,
): Promise<Pick<WaitingRefusals, 'wholesalerId' | 'day'>[]> {
  return query<Pick<WaitingRefusals, 'wholesalerId' | 'day'>>(
    db,
    `WITH counted AS (
       INSERT INTO refusal_counts (wholesaler_id, day, refused)
       SELECT wholesaler_id, day, refused
         FROM jsonb_to_recordset($1::jsonb) AS given(wholesaler_id uuid, day date, refused bigint)
        ORDER BY wholesaler_id, day
       ON CONFLICT (wholesaler_id, day) DO UPDATE
         SET refused = refusal_counts.refused + excluded.refused
       RETURNING wholesaler_id, day, refused
     ), stored AS (
       INSERT INTO refusals
         (id, refused_at, wholesaler_id, corner_store_id, operation, error_code, request_id, ids)
       SELECT id, refused_at, wholesaler_id, ${cornerStoreOf}, operation, error_code, request_id, ids
         FROM (SELECT given.*,
                      counted.refused - added.refused
                        + row_number() OVER (PARTITION BY wholesaler_id, day ORDER BY refused_at, id)
                        AS number
                 FROM jsonb_to_recordset($2::jsonb) AS given(
                        id uuid, refused_at timestamptz, day date, wholesaler_id uuid,
                        operation text, error_code text, request_id text, ids jsonb,
                        named_store uuid, named_user uuid, named_transaction uuid,
                        external_id text)
                 JOIN counted USING (wholesaler_id, day)
                 JOIN jsonb_to_recordset($1::jsonb)
                        AS added(wholesaler_id uuid, day date, refused bigint)
                   USING (wholesaler_id, day)) given
        WHERE number <= $3
       ON CONFLICT (id) DO NOTHING
     )
     SELECT wholesaler_id, to_char(day, 'YYYY-MM-DD') AS day FROM counted WHERE refused >= $3`,
    [JSON.stringify(countsOf(waiting)), JSON.stringify(rowsOf(waiting)), STORED_PER_DAY],
  );
}

function countsOf(waiting: WaitingRefusals[]): object[] {
  return waiting.map(({ wholesalerId, day, count }) => ({
    wholesaler_id: wholesalerId,
    day,
    refused: count,
  }));
}

function rowsOf(waiting: WaitingRefusals[]): object[] {
  return waiting.flatMap(({ day, rows }) =>
    rows.map(({ id, refusedAt, wholesalerId, operation, errorCode, requestId, ids }) => ({
      id,
      refused_at: refusedAt,
      day,
      wholesaler_id: wholesalerId,
      operation,
      error_code: errorCode,
      request_id: requestId,
      ids,
      named_store: ids.cornerStoreId,
      named_user: ids.userId,
      named_transaction: ids.transactionId,
      external_id: ids.externalId,
    })),
  );
}
