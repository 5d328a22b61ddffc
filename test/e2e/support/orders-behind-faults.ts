import { Fiado } from '@fiado/client';
import { startFaultProxy } from './fault-proxy';
import { randomOf } from './random';
import { createWholesaler } from './story';
import type { Api } from './api';

const AMOUNT = 100;
/** Calls at the same time. */
const LANES = 25;
/** Shorter than a late answer, longer than an order takes. */
const TIMEOUT_MS = 1_000;

/** How a run ended. */
interface Outcome {
  created: number;
  /** Orders that the API has, by the number that the caller gave each. */
  held: number[];
  /** Amount that is held of the credit line. */
  heldAmount: number;
  faults: Record<string, number>;
  attempts: number;
}

/** Creates orders with the client, through a network that fails. */
export async function createOrdersBehindFaults(system: Api, count: number): Promise<Outcome> {
  const { key } = await createWholesaler(system);
  const direct = new Fiado({ apiKey: key, baseUrl: system.baseUrl });
  const creditLimit = 2 * count * AMOUNT;
  const customer = await direct.sandbox.createCustomer({ status: 'approved', creditLimit });
  const proxy = await startFaultProxy(system.baseUrl, randomOf(count));
  let attempts = 0;
  const fiado = new Fiado({
    apiKey: key,
    baseUrl: proxy.url,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: 300_000,
    maxRetries: 50,
    onAttempt: () => (attempts += 1),
  });
  const created: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const order = await fiado.transactions.create({
        cornerStoreId: customer.cornerStoreId,
        totalAmount: AMOUNT,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
        metadata: { number },
      });
      created.push(order.transactionId);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  proxy.close();

  const held: number[] = [];
  for await (const order of direct.transactions.list({ limit: 100 })) {
    held.push(Number(order.metadata['number']));
  }
  const { creditLimitAvailable } = await direct.cornerStores.get(customer.externalId);
  return {
    created: new Set(created).size,
    held: held.sort((one, other) => one - other),
    heldAmount: creditLimit - creditLimitAvailable,
    faults: proxy.counts,
    attempts,
  };
}
