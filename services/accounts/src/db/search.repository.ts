import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { MAX_HITS, type SearchHit } from '@fiado/contracts/search';
import { isUUID } from 'class-validator';

/** Corner stores, wholesalers and providers by id, and customers by external id. Each reads one index. */
export function searchParties(db: Db, text: string): Promise<SearchHit[]> {
  return query<SearchHit>(
    db,
    `SELECT 'corner-store' AS kind, 'id' AS "matchedBy", id, NULL::uuid AS wholesaler_id,
            id AS corner_store_id, NULL AS label FROM corner_stores WHERE id = $1
     UNION ALL
     SELECT 'corner-store', 'userId', id, NULL, id, NULL FROM corner_stores WHERE user_id = $1
     UNION ALL
     SELECT 'wholesaler', 'id', id, id, NULL, name FROM wholesalers WHERE id = $1
     UNION ALL
     SELECT 'payment-provider', 'id', id, NULL, NULL, name FROM payment_providers WHERE id = $1
     UNION ALL
     (SELECT 'corner-store', 'externalId', corner_store_id, wholesaler_id, corner_store_id,
             external_id
        FROM customers WHERE external_id = $2 LIMIT ${MAX_HITS})`,
    [isUUID(text) ? text : null, text],
  );
}

/** The corner store with that phone. */
export function searchPhone(db: Db, phoneIndex: Buffer): Promise<SearchHit[]> {
  return query<SearchHit>(
    db,
    `SELECT 'corner-store' AS kind, 'phoneNumber' AS "matchedBy", s.id, NULL::uuid AS wholesaler_id,
            s.id AS corner_store_id, NULL AS label
       FROM users u JOIN corner_stores s ON s.user_id = u.id WHERE u.phone_index = $1`,
    [phoneIndex],
  );
}
