import { randomUUID } from 'node:crypto';
import type { BenchDatabase } from './database';
import type { System } from './system';
import { until } from '@fiado/chassis/testing/until';

/** Pesos: no order of any run is refused for it. */
export const CREDIT_LIMIT = 50_000_000;
const STORES_PER_IMPORT = 1_000;
const APPROVALS_AT_ONCE = 8;
const FIRST_PHONE = 5_550_000_000;
const KNOWN_DEADLINE_MS = 60_000;

/** Whom the load trades for: one wholesaler, and its corner stores in an order of their own. */
export interface Market {
  wholesalerId: string;
  apiKey: string;
  stores: Array<{ cornerStoreId: string; userId: string; externalId: string; phone: string }>;
}

/**
 * Imports and approves corner stores as ops does, and waits until transactions knows them all.
 * @param firstPhone the first of their consecutive numbers: those of another market are other people
 */
export async function openMarket(
  system: System,
  database: { db: BenchDatabase; name: string },
  storeCount: number,
  firstPhone = FIRST_PHONE,
): Promise<Market> {
  const { wholesalerId, apiKey } = await system.ops<{ wholesalerId: string; apiKey: string }>(
    'POST',
    '/admin/wholesalers',
    { name: 'Abarrotera de la Medida' },
  );
  const stores: Market['stores'] = [];
  for (let from = 0; from < storeCount; from += STORES_PER_IMPORT) {
    const to = Math.min(storeCount, from + STORES_PER_IMPORT);
    const customers = customersOf({ from, to, firstPhone });
    const imported = await system.ops<{ customers: Market['stores'] }>(
      'POST',
      `/admin/wholesalers/${wholesalerId}/customers`,
      { customers },
    );
    for (const [at, { externalId, cornerStoreId, userId }] of imported.customers.entries()) {
      const phone = customers[at]?.phoneNumber ?? '';
      stores.push({ externalId, cornerStoreId, userId, phone });
    }
  }
  await approveAll(system, stores);
  const known = `
    SELECT count(*)::int AS known
      FROM transactions.customers JOIN transactions.credit_lines USING (corner_store_id)
     WHERE wholesaler_id = $1 AND status = 'approved'`;
  await until(
    'transactions knows every corner store',
    async () => {
      const [row] = await database.db.query<{ known: number }>(database.name, known, [
        wholesalerId,
      ]);
      return row?.known === storeCount;
    },
    KNOWN_DEADLINE_MS,
  );
  return { wholesalerId, apiKey, stores };
}

function customersOf({ from, to, firstPhone }: { from: number; to: number; firstPhone: number }) {
  return Array.from({ length: to - from }, (_, at) => ({
    externalId: `tienda-${from + at}`,
    firstName: 'Lucía',
    lastNames: 'Ortega Reyes',
    phoneNumber: `+52${firstPhone + from + at}`,
    creditLimit: CREDIT_LIMIT,
    interestRate: 0.05,
  }));
}

async function approveAll(system: System, stores: Market['stores']): Promise<void> {
  const waiting = stores.values();
  await Promise.all(
    Array.from({ length: APPROVALS_AT_ONCE }, async () => {
      for (const { cornerStoreId } of waiting) {
        await system.ops('POST', `/admin/corner-stores/${cornerStoreId}/approve`, {});
      }
    }),
  );
}

/**
 * Body of createTransaction (and of an item of createTransactions): three lines and small metadata,
 * as a delivery app sends.
 */
export function orderBody(
  { stores }: { stores: Array<{ cornerStoreId: string }> },
  number: number,
): object {
  const store = stores[number % stores.length];
  return {
    cornerStoreId: store?.cornerStoreId,
    totalAmount: 150 + (number % 50) * 10.5,
    wholesalerTransactionId: randomUUID(),
    products: [
      { externalSKU: `REF-${number % 40}`, name: 'Refresco de cola 600 ml', quantity: 24 },
      { externalSKU: `GAL-${number % 30}`, name: 'Galletas surtidas', quantity: 12 },
      { externalSKU: `JAB-${number % 20}`, name: 'Jabón de barra', quantity: 6 },
    ],
    metadata: { route: `ruta-${number % 12}`, priority: number % 3 },
  };
}
