import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { codeIn, confirm, type Provider, type Store, type Wholesaler } from './story';
import { waitFor, type Api } from './api';

/** What travels by event is seen within 2 s on an idle machine; this one may be busy. */
const SETTLE_MS = 30_000;
const POLL_MS = 100;
const VERIFY_MS = 90_000;
const CLI = resolve(__dirname, '../../../apps/cli/dist/main.js');

/** How far a wholesaler's delivered transaction is paid. Pesos. */
export interface Payment {
  amountDue: number;
  amountPaid: number;
  status: string;
}

/** Reads until the answer is as expected, and lets the test say what it was instead. */
export async function eventually(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  let actual = await read();
  while (!isDeepStrictEqual(actual, expected) && Date.now() < deadline) {
    await sleep(POLL_MS);
    actual = await read();
  }
  expect(actual).toEqual(expected);
}

const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

/** createTransaction, of one that needs no code. @returns the transaction's id */
export async function orderAtOnce(
  system: Api,
  { key }: Wholesaler,
  { cornerStoreId }: Store,
  totalAmount: number,
): Promise<string> {
  const body = { cornerStoreId, totalAmount, products };
  const created = await system.call(key, 'POST', '/transaction', { body });
  expect([created.status, created.body.errorCode]).toEqual([201, undefined]);
  return created.body.transactionId;
}

/**
 * createTransaction and confirmTransaction, with the code that the store gets; `seen` codes came
 * before.
 */
export async function orderWithCode(
  system: Api,
  wholesaler: Wholesaler,
  store: Store,
  { totalAmount, seen }: { totalAmount: number; seen: number },
): Promise<string> {
  const body = { cornerStoreId: store.cornerStoreId, totalAmount, products };
  const created = await system.call(wholesaler.key, 'POST', '/transaction', { body });
  expect([created.status, created.body.errorCode]).toEqual([201, undefined]);
  const code = codeIn(await system.sms(store.phone, 'order-code', seen));
  await confirm(system, wholesaler, created.body, code);
  return created.body.transactionId;
}

/** createTransactions: all items are accepted. @returns the transactions' ids in their order */
export async function orderBatch(
  system: Api,
  { key }: Wholesaler,
  { cornerStoreId }: Store,
  amounts: number[],
): Promise<string[]> {
  const transactions = amounts.map((totalAmount) => ({
    cornerStoreId,
    totalAmount,
    products,
    metadata: {},
  }));
  const body = { driverId: 'repartidor-7', transactions };
  const created = await system.call(key, 'POST', '/transaction/batch', { body });
  const items = created.body as Array<{ status: string; transactionId: string }>;
  expect(items.map(({ status }) => status)).toEqual(amounts.map(() => 'accepted'));
  return items.map(({ transactionId }) => transactionId);
}

/** deliverTransaction. @returns the answer's status and error */
export async function deliverFor(
  system: Api,
  { key }: Wholesaler,
  transactionId: string,
  transactionAmount: number,
): Promise<string> {
  const body = { status: 'delivery', transactionAmount };
  const { status, body: answer } = await system.call(key, 'PUT', `/transaction/${transactionId}`, {
    body,
  });
  return answer.errorCode ?? `${status}`;
}

/** How a transaction is to be paid, and how far it is. */
export async function paymentOf(
  system: Api,
  { key }: Wholesaler,
  transactionId: string,
): Promise<Payment & { idFactura: string; numeroReferencia: string }> {
  return waitFor(async () => {
    const answer = await system.call(key, 'GET', `/transaction/${transactionId}/payment`);
    return answer.status === 200 ? answer.body : undefined;
  });
}

/** What transactions lack and got, the least first, whichever of them it was. */
export async function paymentsOf(
  system: Api,
  wholesaler: Wholesaler,
  transactionIds: string[],
): Promise<Array<[amountDue: number, amountPaid: number]>> {
  const payments = await Promise.all(transactionIds.map((id) => paymentOf(system, wholesaler, id)));
  return payments
    .map(({ amountDue, amountPaid }): [number, number] => [amountDue, amountPaid])
    .toSorted((a, b) => a[0] - b[0]);
}

export interface Notice {
  idFactura?: string;
  numeroReferencia?: string;
  valor: number;
  claveDePago?: string;
  /** Without a zone. Default: now. */
  fechaPago?: string;
}

/** This moment as a provider writes it. */
export const paidNow = (): string => new Date().toISOString().replace('T', ' ').replace('Z', '');

/** recordDeposit. @returns the answer's status and error */
export async function deposit(
  system: Api,
  { key, name }: Provider,
  notice: Notice,
): Promise<string> {
  const path = `/customer-transaction/payment/deposit?paymentProviderName=${encodeURIComponent(name)}`;
  const body = {
    idFactura: '-',
    numeroReferencia: '-',
    claveDePago: randomUUID(),
    fechaPago: paidNow(),
    ...notice,
  };
  const { status, body: answer } = await system.call(key, 'POST', path, { body });
  return answer.errorCode ?? `${status}`;
}

/** getCornerStore: status and credit that is left. */
export async function creditOf(
  system: Api,
  { key }: Wholesaler,
  { externalId }: Store,
): Promise<[status: string, creditLimitAvailable: number]> {
  const { body } = await system.call(key, 'GET', `/corner-store/external/${externalId}`);
  return [body.status, body.creditLimitAvailable];
}

/** getDefaultInformation: amount, external id and whether it is paid, of each default. */
export async function defaultsOf(system: Api, { key }: Wholesaler): Promise<unknown[]> {
  const { body } = await system.call(key, 'GET', '/corner-store/default-information?page=1');
  return body.paymentDefaults.map(
    (one: Record<'paymentDefaultAmount' | 'externalId' | 'paymentDefaultPaidDate', unknown>) => [
      one.paymentDefaultAmount,
      one.externalId,
      one.paymentDefaultPaidDate !== null,
    ],
  );
}

export async function statusOf(
  system: Api,
  { key }: Wholesaler,
  transactionId: string,
): Promise<string> {
  const { body } = await system.call(key, 'GET', `/transaction/${transactionId}`);
  return body.transactionStatus;
}

/** Why an order of 100 would be refused now, without making it. */
export async function refusalsOf(
  system: Api,
  { key }: Wholesaler,
  { cornerStoreId }: Store,
): Promise<string[]> {
  const body = { cornerStoreId, totalAmount: 100, products };
  return (await system.call(key, 'POST', '/transaction/check', { body })).body.rejectionReasons;
}

/** Deposits that wait for ops. */
export async function unmatched(system: Api): Promise<Array<{ depositId: string }>> {
  const { body } = await system.call(system.opsKey, 'GET', '/admin/deposits?status=unmatched');
  return body.deposits;
}

interface Check {
  service: string;
  name: string;
  holds: boolean;
  violations: object[];
}

/** `fiado verify`: everything that must hold does. @throws Error when it made no report */
export async function verify(system: Api): Promise<{ ok: boolean; broken: Check[] }> {
  const args = [CLI, 'verify', '--json', '--settle', '20', '--base-url', system.baseUrl];
  const env = { PATH: process.env.PATH, OPS_API_KEY: system.opsKey };
  const options = { env, timeout: VERIFY_MS };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    // It exits with 1 if a balance does not reconcile, and prints which.
    (error: { stdout: string; stderr: string }) => error,
  );
  if (!stdout.startsWith('{')) throw new Error(`fiado verify printed nothing but: ${stderr}`);
  const report = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
  return { ok: report.ok, broken: report.checks.filter(({ holds }) => !holds) };
}
