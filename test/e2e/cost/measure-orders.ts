import type { Client } from 'pg';
import { measureCost, type Cost } from '../../support/cost';
import type { CountingProxy } from '../../support/counting-proxy';
import { waitFor, type Api } from '../support/api';
import type { Store, Wholesaler } from '../support/story';

/** Orders of a measurement, one after another. Odd, so that one of them is the median. */
const ORDERS = 17;

interface Measured {
  system: Api;
  wholesaler: Wholesaler;
  store: Store;
  proxy: CountingProxy;
  owner: Client;
}

/** Places orders one after another. Each waits until the SMS of the one before is sent. */
export function measureOrders(measured: Measured): Promise<Cost> {
  return measureCost({ ...measured, times: ORDERS }, () => orderAndSms(measured));
}

/** Places an order, and waits until its SMS is sent. */
export async function orderAndSms({ system, wholesaler, store, owner }: Measured): Promise<void> {
  // Not by the client: its Idempotency-Key stores the answer, which costs more.
  const { body } = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: {
      cornerStoreId: store.cornerStoreId,
      totalAmount: 1000,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
    },
  });
  await waitFor(async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM notifier.messages WHERE subject_id = $1 AND status = 'sent'`,
      [body.transactionId],
    );
    return rowCount === 1 || undefined;
  });
}
