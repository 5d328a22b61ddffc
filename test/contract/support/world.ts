import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  createProvider,
  createWholesaler,
  randomPhone,
  type Provider,
  type Wholesaler,
} from '../../e2e/support/story';
import { waitFor } from '../../e2e/support/api';
import type { RunningSystem } from '../../e2e/support/system';

export interface Customer {
  externalId: string;
  phone: string;
  userId: string;
  cornerStoreId: string;
}

/** The test data: one customer in each state that the contract distinguishes. */
export interface World {
  system: RunningSystem;
  wholesaler: Wholesaler;
  /** Its orders are on-hold at once. */
  quick: Wholesaler;
  /** The same, and without delivery words. */
  wordless: Wholesaler;
  provider: Provider;
  approved: Customer;
  /** Has a line of 200 pesos. */
  poor: Customer;
  preApproved: Customer;
  inValidation: Customer;
  inDefault: Customer;
  quickCustomer: Customer;
  wordlessCustomer: Customer;
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
    createCustomer(system, wholesaler, { approve: true }),
    createCustomer(system, wholesaler, { approve: true, creditLimit: 200 }),
    createCustomer(system, wholesaler),
    createCustomer(system, wholesaler),
  ]);
  const [inDefault, quickCustomer, wordlessCustomer] = await Promise.all([
    createCustomer(system, quick, { approve: true }),
    createCustomer(system, quick, { approve: true }),
    createCustomer(system, wordless, { approve: true }),
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

export async function createCustomer(
  system: RunningSystem,
  { wholesalerId }: Wholesaler,
  { approve = false, creditLimit = 10_000 } = {},
): Promise<Customer> {
  const externalId = randomUUID();
  const phone = randomPhone();
  const customer = {
    externalId,
    firstName: 'Lucía',
    lastNames: 'Ortega',
    phoneNumber: phone,
    creditLimit,
    interestRate: 0.05,
  };
  const imported = await system.call(
    system.opsKey,
    'POST',
    `/admin/wholesalers/${wholesalerId}/customers`,
    { body: { customers: [customer] } },
  );
  const { userId, cornerStoreId } = imported.body.customers[0];
  if (approve) await approveStore(system, cornerStoreId);
  return { externalId, phone, userId, cornerStoreId };
}

export function approveStore(system: RunningSystem, cornerStoreId: string): Promise<Answer> {
  return system.call(system.opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`);
}

/** createAccountVerification for a customer. @returns the verification's id */
export async function startVerification(
  system: RunningSystem,
  { key }: Wholesaler,
  { userId }: Customer,
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
  customer: Customer,
): Promise<string> {
  const verificationId = await startVerification(system, wholesaler, customer);
  const path = `/account/${customer.userId}/verification/${verificationId}/onboarding`;
  await system.call(wholesaler.key, 'PUT', path, { body: { step: 'COMPLETED' } });
  return verificationId;
}

export function orderOf(customer: Customer, fields: object = {}): object {
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
  customer: Customer,
  fields: object = {},
): Promise<Ordered> {
  const { body } = await system.call(key, 'POST', '/transaction', {
    body: orderOf(customer, fields),
  });
  return body;
}

async function fallInDefault(
  system: RunningSystem,
  quick: Wholesaler,
  customer: Customer,
): Promise<void> {
  const { transactionId } = await placeOrder(system, quick, customer);
  await system.call(quick.key, 'PUT', `/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount: 150 },
  });
  await waitFor(async () => {
    const path = `/transaction/${transactionId}/payment`;
    return (await system.call(quick.key, 'GET', path)).status === 200 || undefined;
  });
  const asOf = new Date(Date.now() + NEXT_YEAR_MS).toISOString();
  await system.call(system.opsKey, 'POST', '/admin/defaults/detect', { body: { asOf } });
  await waitFor(async () => {
    const { body } = await system.call(quick.key, 'POST', '/transaction/check', {
      body: orderOf(customer),
    });
    return body.rejectionReasons.includes('USER_IS_IN_DEFAULT') || undefined;
  });
}
