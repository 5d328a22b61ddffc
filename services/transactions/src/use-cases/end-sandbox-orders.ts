import type { EndedSandboxOrders, EndSandboxOrders } from '@fiado/contracts/end-sandbox-orders';
import type { Context } from '../context';
import { findDebts } from '../db/delivered.repository';
import { findSandboxOrders, findSandboxStores } from '../db/sandbox-orders.repository';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';
import { releaseTransaction } from '../steps/release-transaction';

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
export async function endSandboxOrders(
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
      releaseTransaction(tx, { transactionId: id, from: [status], to }),
    );
    if (released) ended += 1;
  }
  return {
    ended,
    owed: await findDebts(db, owed),
    skipped: await findSandboxStores(db, chosen, { shared: true, limit: MAX_SKIPPED }),
  };
}
