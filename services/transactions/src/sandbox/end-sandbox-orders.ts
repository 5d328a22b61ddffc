import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { requireSandbox } from '@fiado/chassis/service-config';
import {
  type EndedSandboxOrders,
  type EndSandboxOrders,
  endSandboxOrdersCall,
} from '@fiado/contracts/sandbox-orders';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { findDebts } from '../deliveries/delivered-order';
import { releaseOrder } from '../orders/release-order';

export const endSandboxOrdersEndpoint = internalEndpoint({
  call: endSandboxOrdersCall,
  allow: ['service:payments'],
  handle: (context: Context, { wholesalerId, asOf }) => {
    requireSandbox(context.config);
    return endSandboxOrders(context, { wholesalerId, asOf: asOf ?? null });
  },
});

/** Corner stores and orders of one call: half a second of work, of the 2 s that payments waits. */
const MAX_STORES = 50;

const MAX_ORDERS = 100;

/** Corner stores that are named as skipped. */
const MAX_SKIPPED = 500;

/**
 * Expires a wholesaler's orders as of a moment, or cancels all of them, in a sandbox, and names what
 * is owed. A corner store that another wholesaler has too is left alone: its line and its defaults
 * are also the other one's. accounts is asked first, because the local copy may not know yet.
 * @throws AppError SERVICE_UNAVAILABLE when accounts cannot be reached
 */
async function endSandboxOrders(
  context: Context,
  { wholesalerId, asOf = null }: Omit<EndSandboxOrders, 'asOf'> & { asOf?: string | null },
): Promise<EndedSandboxOrders> {
  const { db } = context;
  const chosen = { wholesalerId, asOf };
  const cornerStoreIds = await findSandboxStores(db, chosen, { shared: false, limit: MAX_STORES });
  if (cornerStoreIds.length > 0)
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds });

  const orders = await findSandboxOrders(db, chosen, { cornerStoreIds, limit: MAX_ORDERS });
  const owed: string[] = [];
  let ended = 0;
  for (const { id, status } of orders) {
    if (status !== 'pending-verification' && status !== 'on-hold') {
      owed.push(id);
      continue;
    }
    const to = asOf === null ? 'cancelled' : 'expired';
    const released = await db.transaction((tx) =>
      releaseOrder(tx, { transactionId: id, from: [status], to }),
    );
    if (released) ended += 1;
  }
  return {
    ended,
    owed: await findDebts(db, owed),
    skipped: await findSandboxStores(db, chosen, { shared: true, limit: MAX_SKIPPED }),
  };
}

/** Orders of a wholesaler that a sandbox ends or collects. */
interface SandboxOrders {
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
async function findSandboxStores(
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

interface SandboxOrder {
  id: string;
  status: 'pending-verification' | 'on-hold' | 'delivery' | 'in-payment-default';
}

/** Sandbox orders of the given corner stores; stores that another wholesaler has too are left out. */
function findSandboxOrders(
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
