import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { PhoneChangeHold } from '@fiado/contracts/corner-store';

/** The facts that decide a change of phone. */
export interface PhoneChangeFacts {
  now: Date;
  setting: PhoneChangeHold;
  /** Wholesalers that have the store as a customer. */
  wholesalers: number;
  /** Changes by this wholesaler for this store in the last 24 hours. */
  changesToday: number;
  /** Changes by this wholesaler that other users' numbers had refused in the last 24 hours. */
  takenToday: number;
}

/** Read it with the corner store locked, so that parallel changes cannot exceed the limit. */
export function findPhoneChangeFacts(
  tx: Db,
  wholesalerId: string,
  cornerStoreId: string,
): Promise<PhoneChangeFacts> {
  return queryOne<PhoneChangeFacts>(
    tx,
    `SELECT now(), phone_change_hold AS setting,
            (SELECT count(*) FROM customers WHERE corner_store_id = $2) AS wholesalers,
            (SELECT count(*) FROM phone_changes
              WHERE corner_store_id = $2 AND wholesaler_id = $1
                AND changed_at > now() - interval '24 hours') AS "changesToday",
            (SELECT coalesce(sum(taken), 0)::integer FROM unknown_number_sends
              WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours') AS "takenToday"
       FROM wholesalers WHERE id = $1`,
    [wholesalerId, cornerStoreId],
  );
}

/** Ends the holds of a locked corner store. @returns whether there were any */
export async function clearPhoneHolds(tx: Db, cornerStoreId: string): Promise<boolean> {
  const cleared = await query(
    tx,
    `UPDATE phone_changes SET held_until = NULL
      WHERE corner_store_id = $1 AND held_until > now() RETURNING id`,
    [cornerStoreId],
  );
  return cleared.length > 0;
}
