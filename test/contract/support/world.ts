import {
  createProvider,
  createStore,
  createWholesaler,
  importStore,
  randomPhone,
  type Provider,
  type Store,
  type Wholesaler,
} from '../../e2e/support/story';
import { waitFor } from '../../e2e/support/api';
import type { RunningSystem } from '../../e2e/support/system';

/** The test data: one customer in each state that the contract distinguishes. */
export interface World {
  system: RunningSystem;
  wholesaler: Wholesaler;
  /** Its orders are on-hold at once. */
  quick: Wholesaler;
  /** The same, and without delivery words. */
  wordless: Wholesaler;
  provider: Provider;
  approved: Store;
  /** Has a line of 200 pesos. */
  poor: Store;
  preApproved: Store;
  inValidation: Store;
  inDefault: Store;
  quickCustomer: Store;
  wordlessCustomer: Store;
}

/** Far enough for every debt of today to be overdue. */
const NEXT_YEAR_MS = 365 * 24 * 60 * 60_000;

export async function buildWorld(system: RunningSystem): Promise<World> {
  const wholesaler = await createWholesaler(system);
  const quick = await createWholesaler(system, { confirmationRequired: false });
  const wordless = await createWholesaler(system, {
    confirmationRequired: false,
    deliveryWordEnabled: false,
  });
  const provider = await createProvider(system);
  const [approved, poor, preApproved, inValidation] = await Promise.all([
    createStore(system, wholesaler),
    createStore(system, wholesaler, { creditLimit: 200 }),
    importStore(system, wholesaler),
    importStore(system, wholesaler),
  ]);
  const [inDefault, quickCustomer, wordlessCustomer] = await Promise.all([
    createStore(system, quick),
    createStore(system, quick),
    createStore(system, wordless),
  ]);
  await handIn(system, wholesaler, inValidation);
  await fallInDefault(system, quick, inDefault);
  return {
    system,
    wholesaler,
    quick,
    wordless,
    provider,
    approved,
    poor,
    preApproved,
    inValidation,
    inDefault,
    quickCustomer,
    wordlessCustomer,
  };
}

/** createAccountVerification for a customer. @returns the verification's id */
export async function startVerification(
  system: RunningSystem,
  { key }: Wholesaler,
  { userId }: Store,
): Promise<string> {
  const { body } = await system.call(key, 'POST', `/account/${userId}/verification`, {
    body: { firstName: 'Lucía', lastNames: 'Ortega', phoneNumber: randomPhone() },
  });
  return body.verificationId;
}

/** A customer whose onboarding is complete and waits for ops. @returns its verification's id */
export async function handIn(
  system: RunningSystem,
  wholesaler: Wholesaler,
  customer: Store,
): Promise<string> {
  const verificationId = await startVerification(system, wholesaler, customer);
  const path = `/account/${customer.userId}/verification/${verificationId}/onboarding`;
  await system.call(wholesaler.key, 'PUT', path, { body: { step: 'COMPLETED' } });
  return verificationId;
}

export function orderOf(customer: Store, fields: object = {}): object {
  return {
    cornerStoreId: customer.cornerStoreId,
    totalAmount: 150,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 2 }],
    ...fields,
  };
}

export interface Ordered {
  transactionId: string;
  verificationId: string;
}

export async function placeOrder(
  system: RunningSystem,
  { key }: Wholesaler,
  customer: Store,
  fields: object = {},
): Promise<Ordered> {
  const { body } = await system.call(key, 'POST', '/transaction', {
    body: orderOf(customer, fields),
  });
  return body;
}

/** Delivers all of an order, and waits until payments has its debt. */
export async function deliverOrder(
  system: RunningSystem,
  { key }: Wholesaler,
  transactionId: string,
): Promise<void> {
  const path = `/transaction/${transactionId}`;
  const body = { status: 'delivery', transactionAmount: 150 };
  await system.call(key, 'PUT', path, { body });
  await waitFor(async () => {
    return (await system.call(key, 'GET', `${path}/payment`)).status === 200 || undefined;
  });
}

/** What createInvoice takes of a product. */
export const INVOICE_PRODUCT = {
  description: 'Refresco',
  price: 100,
  productKey: '50202306',
  sku: 'SKU-1',
  taxes: [{ rate: 0.16, type: 'IVA' }],
  unitKey: 'H87',
};

async function fallInDefault(
  system: RunningSystem,
  quick: Wholesaler,
  customer: Store,
): Promise<void> {
  const { transactionId } = await placeOrder(system, quick, customer);
  await deliverOrder(system, quick, transactionId);
  const asOf = new Date(Date.now() + NEXT_YEAR_MS).toISOString();
  await system.call(system.opsKey, 'POST', '/admin/defaults/detect', { body: { asOf } });
  await waitFor(async () => {
    const { body } = await system.call(quick.key, 'POST', '/transaction/check', {
      body: orderOf(customer),
    });
    return body.rejectionReasons.includes('USER_IS_IN_DEFAULT') || undefined;
  });
}
