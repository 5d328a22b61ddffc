import { randomUUID } from 'node:crypto';
import { waitFor } from '../../e2e/support/api';
import type { System } from '../../e2e/support/system';

/** Whom the clients trade for. Made while nothing is broken yet. */
export interface Market {
  wholesaler: { key: string };
  provider: { name: string; key: string };
  stores: MarketStore[];
}

export interface MarketStore {
  cornerStoreId: string;
  phone: string;
}

/** Small enough that orders are refused for it now and then. */
const CREDIT_LIMIT = 6_000;
const MORE_CREDIT = 100_000;
const FIRST_PHONE = 5_550_000;

export async function openMarket(system: System, storeCount: number): Promise<Market> {
  const created = await ops(system, '/admin/wholesalers', { name: 'Abarrotera del Caos' });
  const name = `Pagos ${randomUUID()}`;
  const provider = await ops(system, '/admin/payment-providers', { name });
  const customers = Array.from({ length: storeCount }, (_, number) => ({
    externalId: `tienda-${number}`,
    firstName: 'Lucía',
    lastNames: 'Ortega',
    phoneNumber: `+52555${FIRST_PHONE + number}`,
    creditLimit: CREDIT_LIMIT,
    interestRate: 0.05,
  }));
  const path = `/admin/wholesalers/${created.wholesalerId}/customers`;
  const imported = await ops(system, path, { customers });
  const stores: MarketStore[] = [];
  for (const [number, { cornerStoreId }] of imported.customers.entries()) {
    await ops(system, `/admin/corner-stores/${cornerStoreId}/approve`, {});
    stores.push({ cornerStoreId, phone: `+52555${FIRST_PHONE + number}` });
    await untilKnown(system, created.apiKey, cornerStoreId);
  }
  return { wholesaler: { key: created.apiKey }, provider: { name, key: provider.apiKey }, stores };
}

/** Lets the clients buy on where they have used all credit up. */
export async function raiseCredit(system: System, market: Market): Promise<void> {
  for (const { cornerStoreId } of market.stores) {
    const path = `/admin/corner-stores/${cornerStoreId}`;
    await system.call(system.opsKey, 'PUT', path, { body: { creditLimit: MORE_CREDIT } });
  }
}

/** Once a check accepts, transactions has the store's terms. */
async function untilKnown(system: System, key: string, cornerStoreId: string): Promise<void> {
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];
  await waitFor(async () => {
    const body = { cornerStoreId, totalAmount: 1_000, products };
    const answer = await system.call(key, 'POST', '/transaction/check', { body });
    return answer.body?.accepted === true || undefined;
  });
}

async function ops(
  system: System,
  path: string,
  body: object,
): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await system.call(system.opsKey, 'POST', path, { body });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status} ${answer.text}`);
  return answer.body;
}
