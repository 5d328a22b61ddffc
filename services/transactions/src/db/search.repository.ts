import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { MAX_HITS, type SearchHit } from '@fiado/contracts/search';
import { isUUID } from 'class-validator';

/** A larger number is no incremental id, which is a bigint. */
const INCREMENTAL_ID = /^\d{1,15}$/;

/** Orders by their id, their number or their id in the wholesaler's system. Each reads one index. */
export function searchOrders(db: Db, text: string): Promise<SearchHit[]> {
  return query<SearchHit>(
    db,
    `SELECT 'transaction' AS kind, found."matchedBy", t.id, t.wholesaler_id, t.corner_store_id,
            t.incremental_id::text AS label
       FROM (SELECT id, 'id' AS "matchedBy" FROM transactions WHERE id = $1
             UNION ALL
             SELECT id, 'incrementalID' FROM transactions WHERE incremental_id = $2
             UNION ALL
             (SELECT id, 'wholesalerTransactionId' FROM transactions
               WHERE wholesaler_transaction_id = $3 LIMIT ${MAX_HITS})) found
       JOIN transactions t USING (id)
      ORDER BY t.created_at DESC, t.id DESC`,
    [isUUID(text) ? text : null, INCREMENTAL_ID.test(text) ? Number(text) : null, text],
  );
}
