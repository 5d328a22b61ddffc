import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/** Orders of a wholesaler that a sandbox ends or collects. */
export interface SandboxOrders {
  wholesalerId: string;
  /** Only what is expired or overdue at this moment; null is all. */
  asOf: string | null;
}

const CHOSEN = `t.wholesaler_id = $1
       AND (t.status IN ('pending-verification', 'on-hold')
              AND ($2::timestamptz IS NULL OR t.expires_at <= $2)
            OR t.status = 'delivery' AND ($2 IS NULL OR t.payment_due_at < $2)
            OR t.status = 'in-payment-default' AND $2 IS NULL)`;
const SHARED = `EXISTS (SELECT FROM customers c
                         WHERE c.corner_store_id = t.corner_store_id AND c.wholesaler_id <> $1)`;

/** Corner stores with such orders that are another wholesaler's too, or those that are not. */
export async function findSandboxStores(
  db: Db,
  { wholesalerId, asOf }: SandboxOrders,
  { shared, limit }: { shared: boolean; limit: number },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT DISTINCT t.corner_store_id AS id FROM transactions t
      WHERE ${CHOSEN} AND ${SHARED} = $3 ORDER BY id LIMIT $4`,
    [wholesalerId, asOf, shared, limit],
  );
  return rows.map(({ id }) => id);
}

export interface SandboxOrder {
  id: string;
  status: 'pending-verification' | 'on-hold' | 'delivery' | 'in-payment-default';
}

/** Such orders of the given corner stores, except those of another wholesaler too. */
export function findSandboxOrders(
  db: Db,
  { wholesalerId, asOf }: SandboxOrders,
  { cornerStoreIds, limit }: { cornerStoreIds: string[]; limit: number },
): Promise<SandboxOrder[]> {
  return query<SandboxOrder>(
    db,
    `SELECT t.id, t.status FROM transactions t
      WHERE ${CHOSEN} AND NOT ${SHARED} AND t.corner_store_id = ANY($3)
      ORDER BY t.id LIMIT $4`,
    [wholesalerId, asOf, cornerStoreIds, limit],
  );
}

/** The live order with the wholesaler's own id. @returns undefined when there is none */
export async function findLiveOrder(
  db: Db,
  {
    wholesalerId,
    wholesalerTransactionId,
  }: { wholesalerId: string; wholesalerTransactionId: string },
): Promise<string | undefined> {
  const [order] = await query<{ id: string }>(
    db,
    `SELECT id FROM transactions
      WHERE wholesaler_id = $1 AND wholesaler_transaction_id = $2
        AND status NOT IN ('cancelled', 'expired')`,
    [wholesalerId, wholesalerTransactionId],
  );
  return order?.id;
}
