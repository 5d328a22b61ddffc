import { waitFor } from '../../e2e/support/api';
import { createStore, createWholesaler, importStore } from '../../e2e/support/story';
import type { DocumentedRoute } from './conformance';
import type { Ids } from './operation-inputs';
import { placeOrder, startVerification, type World } from './world';

/** The key of the fuzzer, and existing objects that its requests name. */
export interface FuzzTarget {
  key: string;
  ids: Ids;
}

/**
 * Objects that each route needs for itself, because it changes them: a rejected store, for example.
 */
export async function freshTarget(world: World, route: DocumentedRoute): Promise<FuzzTarget> {
  return makerOf(route)(world);
}

type Maker = (world: World) => Promise<FuzzTarget>;

const made = new Map<Maker, Promise<FuzzTarget>>();

/** Objects for a route that changes nothing, which others of its kind have as well. */
export function targetToRead(world: World, route: DocumentedRoute): Promise<FuzzTarget> {
  const maker = makerOf(route);
  const target = made.get(maker) ?? maker(world);
  made.set(maker, target);
  return target;
}

function makerOf({ path, operation }: DocumentedRoute): Maker {
  const [caller] = operation['x-callers'];
  if (caller === 'ops') return opsTarget;
  if (caller === 'provider') return providerTarget;
  if (path.startsWith('/account') || path === '/link/kyc' || path === '/link/account')
    return accountTarget;
  if (operation.operationId === 'deliverTransaction') return deliveryTarget;
  return path.includes('/verification') ? codeTarget : orderTarget;
}

async function providerTarget({ provider }: World): Promise<FuzzTarget> {
  return { key: provider.key, ids: {} };
}

async function opsTarget({ system }: World): Promise<FuzzTarget> {
  const wholesaler = await createWholesaler(system);
  const { cornerStoreId } = await importStore(system, wholesaler);
  // Transactions hears of a wholesaler a moment after accounts.
  const nothing = { wholesalerId: wholesaler.wholesalerId, until: '2020-01-01' };
  await waitFor(async () => {
    const path = '/admin/statements/close';
    const closed = await system.call(system.opsKey, 'POST', path, { body: nothing });
    return closed.status !== 404 || undefined;
  });
  return { key: system.opsKey, ids: { wholesalerId: wholesaler.wholesalerId, cornerStoreId } };
}

async function accountTarget({ system, wholesaler }: World): Promise<FuzzTarget> {
  const customer = await importStore(system, wholesaler);
  const verificationId = await startVerification(system, wholesaler, customer);
  return { key: wholesaler.key, ids: { userId: customer.userId, verificationId } };
}

/** Without words, and far below what the example delivers: its checks are all passed but the last. */
async function deliveryTarget({ system, wordless }: World): Promise<FuzzTarget> {
  const customer = await createStore(system, wordless);
  const { transactionId } = await placeOrder(system, wordless, customer);
  return { key: wordless.key, ids: { transactionId } };
}

/** An order that waits for its code. */
async function codeTarget({ system, wholesaler }: World): Promise<FuzzTarget> {
  const customer = await createStore(system, wholesaler);
  const { transactionId, verificationId } = await placeOrder(system, wholesaler, customer);
  return { key: wholesaler.key, ids: { transactionId, verificationId } };
}

/** A store with credit for a while, and an order of it that is on-hold. */
async function orderTarget({ system, quick }: World): Promise<FuzzTarget> {
  const customer = await createStore(system, quick, { creditLimit: 1_000_000 });
  const { transactionId } = await placeOrder(system, quick, customer);
  const { cornerStoreId, externalId } = customer;
  return { key: quick.key, ids: { transactionId, cornerStoreId, externalId } };
}
