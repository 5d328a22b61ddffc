import { setTimeout as sleep } from 'node:timers/promises';
import type { InvariantCheck, InvariantReport } from '@fiado/shared/contracts/invariants';
import { integer, oneOf, shuffled, type Random } from './random';
import type { Provider, Store, Wholesaler } from './story';
import { waitFor, type Api } from './api';

/** How long a provider's client waits before it posts again what was answered 503. */
const RETRY_MS = 100;

export interface Reference {
  transactionId: string;
  idFactura: string;
  numeroReferencia: string;
  amountDueCents: number;
}

export interface Deposit {
  store: Store;
  cents: number;
  body: object & { claveDePago: string };
}

/** A corner store's delivered order, ready to be paid. The wholesaler's orders need no code. */
export async function deliverOrder(
  system: Api,
  { key }: Wholesaler,
  { cornerStoreId }: Store,
): Promise<Reference> {
  const created = await system.call(key, 'POST', '/transaction', {
    body: {
      cornerStoreId,
      totalAmount: 1000,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
    },
  });
  expect(created.status).toBe(201);
  const { transactionId } = created.body;
  const path = `/transaction/${transactionId}`;
  const body = { status: 'delivery', transactionAmount: 1000 };
  expect((await system.call(key, 'PUT', path, { body })).status).toBe(200);
  const { body: payment } = await system.call(key, 'GET', `${path}/payment`);
  return { transactionId, ...payment, amountDueCents: Math.round(payment.amountDue * 100) };
}

/** Deposits for what those stores owe, by either reference. */
export function makeDeposits(
  random: Random,
  count: number,
  owing: Array<{ store: Store; references: Reference[] }>,
): Deposit[] {
  return Array.from({ length: count }, (_, index) => {
    const { store, references } = oneOf(random, owing);
    const { idFactura, numeroReferencia } = oneOf(random, references);
    const byFactura = random() < 0.5;
    const cents = integer(random, 1, 4_000);
    return {
      store,
      cents,
      body: {
        idFactura: byFactura ? idFactura : 'sin factura',
        numeroReferencia,
        valor: cents / 100,
        fechaPago: '2026-11-20 10:00:00.000',
        claveDePago: `clave-${index}`,
      },
    };
  });
}

/** Each deposit one to five times, in any order; a fifth of them with all their posts at once. */
export function repeated(random: Random, deposits: Deposit[]): Deposit[][] {
  const posts = deposits.flatMap((deposit) => {
    const times = Array.from({ length: integer(random, 1, 5) }, () => deposit);
    return random() < 0.2 ? [times] : times.map((post) => [post]);
  });
  return shuffled(random, posts);
}

/** Posts a deposit until the answer is no 503. @returns the status of that answer */
export async function postUntilKept(
  system: Api,
  provider: Provider,
  { body }: Deposit,
): Promise<number> {
  const query = `paymentProviderName=${encodeURIComponent(provider.name)}`;
  const path = `/customer-transaction/payment/deposit?${query}`;
  for (;;) {
    const { status } = await system.call(provider.key, 'POST', path, { body });
    if (status !== 503) return status;
    await sleep(RETRY_MS);
  }
}

/** Every deposit as ops sees it. */
export async function listDeposits(
  system: Api,
): Promise<Array<{ claveDePago: string; valor: number; status: string }>> {
  const listed = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const search: string = `?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await system.call(system.opsKey, 'GET', `/admin/deposits${search}`);
    listed.push(...body.deposits);
    cursor = body.nextCursor;
  }
  return listed;
}

/** Waits until no deposit is left that is only received. */
export async function untilApplied(system: Api): Promise<void> {
  await waitFor(async () => {
    const path = '/admin/deposits?status=received&limit=1';
    const { status, body } = await system.call(system.opsKey, 'GET', path);
    return (status === 200 && body.deposits.length === 0) || undefined;
  });
}

/** The facts about payments that do not hold, with the rows at fault. */
export async function brokenInvariants(system: Api): Promise<InvariantCheck[]> {
  const { body } = await system.call(system.opsKey, 'GET', '/admin/invariants/payments');
  return (body as InvariantReport).checks.filter(({ holds }) => !holds);
}
