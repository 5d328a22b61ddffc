import { randomInt, randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import type { AnswerOf } from '@fiado/client';
import { noiseJpeg } from '../../support/noise-jpeg';
import { waitFor, type Api } from './api';

/** A wholesaler with its key, made through the ops API. */
export interface Wholesaler {
  wholesalerId: string;
  key: string;
}

export interface Store {
  externalId: string;
  phone: string;
  userId: string;
  cornerStoreId: string;
}

export interface Provider {
  name: string;
  key: string;
}

export async function createWholesaler(system: Api, settings = {}): Promise<Wholesaler> {
  // A service that was just killed may still be coming back.
  const body = await waitFor(async () => {
    const created = await system.call(system.opsKey, 'POST', '/admin/wholesalers', {
      body: { name: `Abarrotera ${randomUUID().slice(0, 4)}`, ...settings },
    });
    return created.status === 201 ? created.body : undefined;
  });
  return { wholesalerId: body.wholesalerId, key: body.apiKey };
}

export async function createProvider(system: Api): Promise<Provider> {
  const name = `Pagos ${randomUUID()}`;
  const { body } = await system.call(system.opsKey, 'POST', '/admin/payment-providers', {
    body: { name },
  });
  return { name, key: body.apiKey };
}

export function randomPhone(): string {
  return `+52555${randomInt(1_000_000, 9_999_999)}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A word that no other name has: whatever is called so is found by it. */
export function randomWord(): string {
  return `Z${Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
}

/** What a wholesaler tells of a customer, where a test needs more than defaults. */
interface Customer {
  externalId?: string;
  phone?: string;
  firstName?: string;
  lastNames?: string;
  creditLimit?: number;
  interestRate?: number;
}

const NAMES = { firstName: 'Lucía', lastNames: 'Ortega' };

/** A loaded and approved corner store with a line of 10,000. */
export async function createStore(
  system: Api,
  wholesaler: Wholesaler,
  customer: Customer = {},
): Promise<Store> {
  const store = await importStore(system, wholesaler, customer);
  const approved = await approveStore(system, store.cornerStoreId);
  if (approved.status !== 200) throw new Error(approved.text);
  return store;
}

export function approveStore(system: Api, cornerStoreId: string): Promise<Answer> {
  return system.call(system.opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`);
}

/** A loaded corner store. It is new and not yet approved, unless another wholesaler has its phone. */
export async function importStore(
  system: Api,
  { wholesalerId }: Wholesaler,
  { externalId = randomUUID(), phone = randomPhone(), ...customer }: Customer = {},
): Promise<Store> {
  const terms = { creditLimit: 10_000, interestRate: 0.05 };
  const customers = [{ ...NAMES, ...terms, ...customer, externalId, phoneNumber: phone }];
  const path = `/admin/wholesalers/${wholesalerId}/customers`;
  // A busy machine may refuse it; a customer that was imported all the same stays as it is.
  const imported = await waitFor(async () => {
    const answer = await system.call(system.opsKey, 'POST', path, { body: { customers } });
    return answer.status === 503 ? undefined : answer;
  });
  if (imported.status !== 201) throw new Error(imported.text);
  const { userId, cornerStoreId } = imported.body.customers[0];
  return { externalId, phone, userId, cornerStoreId };
}

/** A corner store whose phone is proven, and the link by which its owner sends the rest. */
export async function createStoreWithKycLink(
  system: Api,
  wholesaler: Wholesaler,
  customer: Pick<Customer, 'externalId'> = {},
): Promise<{ store: Store; link: string }> {
  const store = await importStore(system, wholesaler, customer);
  const { accounts } = system.client(wholesaler.key);
  const { userId, phone: phoneNumber } = store;
  const { verificationId } = await accounts.createVerification(userId, {
    ...NAMES,
    phoneNumber,
    contacts: [],
  });
  const code = codeIn(await system.sms(phoneNumber, 'verification-code'));
  await accounts.confirm(userId, verificationId, { code });
  const { kycLink } = await accounts.createKycLink({ userId, verificationId });
  return { store, link: `${system.baseUrl}${new URL(kycLink).pathname}` };
}

/** An order that its store confirms on the page of the link. */
export async function orderByLink(
  system: Api,
  { key }: Wholesaler,
  { externalId }: Store,
  products = [{ externalSKU: 'SKU-1', name: 'Refresco de cola 600 ml', quantity: 10 }],
): Promise<{ transactionId: string; link: string }> {
  const { status, body } = await system.call(key, 'POST', `/link/external/${externalId}`, {
    body: { transaction: { totalAmount: 1234.5, products } },
  });
  expect(status).toBe(201);
  const link = `${system.baseUrl}${new URL(body.link).pathname}`;
  return { transactionId: body.transactionId, link };
}

/** A link to the page "Mi cuenta" of a store. */
export async function createAccountLink(
  system: Api,
  { key }: Wholesaler,
  { userId }: Store,
): Promise<string> {
  const { accountLink } = await system.client(key).accounts.createAccountLink({ userId });
  return `${system.baseUrl}${new URL(accountLink).pathname}`;
}

/** A picture as the camera of a phone takes it. */
export const phonePicture = (): Promise<Buffer> => noiseJpeg({ width: 2400, height: 1800 });

export type Order = Pick<AnswerOf<'createTransaction'>, 'transactionId' | 'verificationId'>;

export async function order(
  system: Api,
  { key }: Wholesaler,
  store: Store,
): Promise<AnswerOf<'createTransaction'>> {
  return system.client(key).transactions.create({
    cornerStoreId: store.cornerStoreId,
    totalAmount: 1000,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
  });
}

export async function confirm(
  system: Api,
  { key }: Wholesaler,
  { transactionId, verificationId }: Order,
  code: string,
): Promise<void> {
  const { transactions } = system.client(key);
  expect(await transactions.confirm(transactionId, verificationId, { errorCode: code })).toEqual({
    verificationId,
    verificationStatus: 'approved',
  });
}

export async function deliver(
  system: Api,
  { key }: Wholesaler,
  transactionId: string,
): Promise<void> {
  const body = { status: 'delivery', transactionAmount: 900 } as const;
  expect(await system.client(key).transactions.deliver(transactionId, body)).toEqual({
    success: true,
  });
}

/** Pays all that is due for a transaction at a provider; retries as a provider would. */
export async function pay(
  system: Api,
  { key }: Wholesaler,
  provider: Provider,
  transactionId: string,
): Promise<void> {
  const debt = await waitFor(() =>
    system
      .client(key)
      .payments.get(transactionId)
      .catch(() => undefined),
  );
  const deposit = {
    idFactura: debt.idFactura,
    numeroReferencia: debt.numeroReferencia,
    valor: debt.amountDue,
    fechaPago: '2026-11-20 10:00:00.000',
    claveDePago: randomUUID(),
  };
  const query = { paymentProviderName: provider.name };
  await waitFor(() =>
    system
      .client(provider.key)
      .payments.recordDeposit(deposit, query)
      .catch(() => undefined),
  );
}

/** Waits until the transaction is paid and the whole line is free again. */
export async function seeCreditBack(
  system: Api,
  { key }: Wholesaler,
  store: Store,
  transactionId: string,
): Promise<void> {
  const fiado = system.client(key);
  await waitFor(async () => {
    const read = await fiado.transactions.get(transactionId).catch(() => undefined);
    return read?.transactionStatus === 'paid' || undefined;
  });
  expect(await fiado.cornerStores.get(store.externalId)).toEqual({
    userId: store.userId,
    cornerStoreId: store.cornerStoreId,
    status: 'approved',
    creditLimitAvailable: 10_000,
  });
}

/** The whole story of one order, from the code by SMS to the credit that is back. */
export async function buyAndPay(
  system: Api,
  { wholesaler, provider, store }: { wholesaler: Wholesaler; provider: Provider; store: Store },
): Promise<void> {
  const ordered = await order(system, wholesaler, store);
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
  expect(await system.sms(store.phone, 'delivery-word')).toMatch(
    /palabra de entrega es \p{L}+\. Dila solo al recibir tu pedido de \$1,000\.00 de /u,
  );
  await deliver(system, wholesaler, ordered.transactionId);
  await pay(system, wholesaler, provider, ordered.transactionId);
  await seeCreditBack(system, wholesaler, store, ordered.transactionId);
}

/** The code at the start of an SMS. */
export function codeIn(text: string): string {
  return /^\d{6}/.exec(text)?.[0] ?? '';
}
