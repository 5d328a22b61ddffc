import { waitFor } from '../../e2e/support/api';
import {
  createProvider,
  createStore,
  createWholesaler,
  type Provider,
  type Store,
  type Wholesaler,
} from '../../e2e/support/story';
import type { System } from '../../e2e/support/system';

/** Whom the clients trade for. Made while nothing is broken yet. */
export interface Market {
  wholesaler: Wholesaler;
  provider: Provider;
  stores: Store[];
}

/** Small enough that orders are refused for it now and then. */
const CREDIT_LIMIT = 6_000;
const MORE_CREDIT = 100_000;
const FIRST_PHONE = 5_550_000;

export async function openMarket(system: System, storeCount: number): Promise<Market> {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const stores: Store[] = [];
  for (let number = 0; number < storeCount; number += 1) {
    const terms = { phone: `+52555${FIRST_PHONE + number}`, creditLimit: CREDIT_LIMIT };
    const store = await createStore(system, wholesaler, terms);
    await untilKnown(system, wholesaler, store);
    stores.push(store);
  }
  return { wholesaler, provider, stores };
}

/** Lets the clients buy on where they have used all credit up. */
export async function raiseCredit(system: System, market: Market): Promise<void> {
  for (const { cornerStoreId } of market.stores) {
    const path = `/admin/corner-stores/${cornerStoreId}`;
    await system.call(system.opsKey, 'PUT', path, { body: { creditLimit: MORE_CREDIT } });
  }
}

/** Once a check accepts, transactions has the store's terms. */
async function untilKnown(
  system: System,
  { key }: Wholesaler,
  { cornerStoreId }: Store,
): Promise<void> {
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];
  await waitFor(async () => {
    const body = { cornerStoreId, totalAmount: 1_000, products };
    const answer = await system.call(key, 'POST', '/transaction/check', { body });
    return answer.body?.accepted === true || undefined;
  });
}
