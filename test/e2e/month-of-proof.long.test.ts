import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { waitFor } from './support/api';
import { deposit, eventually, orderWithCode, paymentOf, verify } from './support/month';
import {
  codeIn,
  createProvider,
  createStore,
  createWholesaler,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { startSystem, type System } from './support/system';

/** Ends what hangs: a killed service comes back within seconds, on a busy machine within a minute. */
const DEADLINE_MS = 120_000;

/** The setting of each week: it is for the deliveries of that week. */
const HOLD_DAYS = [0, 7, 30, 7];
/** Orders of a week, each of a store of its own, so that NO means one order. */
const ORDERS = 10;

/** What must become of an order, by rules that the product does not know. */
interface Expected {
  id: string;
  store: Store;
  cents: number;
  creditedCents: number;
  isProven: boolean;
  holdDays: number;
  isPaid: boolean;
  isDisputed: boolean;
  /** Lines that no statement has: the delivery, and credit notes. */
  openLines: number[];
}

let system: System;
let owner: Client;
let wholesaler: Wholesaler;
let provider: Provider;
const orders: Expected[] = [];
/** Of the newest statement, in pesos. */
let lastNet = 0;

beforeAll(async () => {
  system = await startSystem({ env: { FOUR_EYES: 'off' } });
  owner = await system.connect();
  const settings = { deliveryWordRequired: false, settlementEvery: 'on-demand' };
  wholesaler = await createWholesaler(system, settings);
  provider = await createProvider(system);
});
afterAll(() => system?.dispose());

/** A call that a killed process may refuse at first. */
async function call(key: string, method: string, path: string, body?: object) {
  const answered = await waitFor(async () => {
    const answer = await system.call(key, method, path, body && { body }).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return undefined;
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  }, DEADLINE_MS);
  return answered.body;
}
const ops = (method: string, path: string, body?: object) =>
  call(system.opsKey, method, path, body);
const own = (method: string, path: string, body?: object) =>
  call(wholesaler.key, method, path, body);

async function hold(days: number): Promise<void> {
  const { wholesalerId } = wholesaler;
  await ops('PUT', `/admin/wholesalers/${wholesalerId}`, { holdUnprovenDays: days });
  await eventually(async () => {
    const { rows } = await owner.query<{ days: number }>(
      'SELECT hold_unproven_days AS days FROM transactions.wholesalers WHERE wholesaler_id = $1',
      [wholesalerId],
    );
    // Its copy comes with its first store.
    return rows[0]?.days ?? days;
  }, days);
}

/** An order of a new store, delivered with its word or without. */
async function sell(cents: number, holdDays: number, isProven: boolean): Promise<Expected> {
  const store = await createStore(system, wholesaler);
  const sale = { totalAmount: cents / 100, seen: 0 };
  const id = await orderWithCode(system, wholesaler, store, sale);
  const text = await system.sms(store.phone, 'delivery-word');
  const [, word = ''] = /palabra de entrega es (\p{L}+)/u.exec(text) ?? [];
  const delivery = { status: 'delivery', transactionAmount: cents / 100 };
  await own('PUT', `/transaction/${id}`, { ...delivery, ...(isProven && { deliveryWord: word }) });
  const flags = { isProven, holdDays, isPaid: false, isDisputed: false };
  const order = { id, store, cents, creditedCents: 0, ...flags, openLines: [cents] };
  orders.push(order);
  return order;
}

async function pay(order: Expected): Promise<void> {
  const { idFactura, amountDue } = await paymentOf(system, wholesaler, order.id);
  expect(await deposit(system, provider, { idFactura, valor: amountDue })).toBe('200');
  order.isPaid = true;
}

async function credit(order: Expected, cents: number): Promise<void> {
  const note = { amount: cents / 100, reason: 'return', reference: `DEV-${randomUUID()}` };
  await own('POST', `/transaction/${order.id}/credit-notes`, note);
  noteCredit(order, cents);
}

function noteCredit(order: Expected, cents: number): void {
  order.creditedCents += cents;
  order.openLines.push(-cents);
}

/** The store answers NO to the SMS of its only delivery. The same answer again changes nothing. */
async function deny(order: Expected): Promise<void> {
  await system.sms(order.store.phone, 'order-code');
  const said = { phoneNumber: order.store.phone, text: 'No es mío.' };
  expect(await own('POST', '/sandbox/replies', said)).toEqual({ readAs: 'deny' });
  await own('POST', '/sandbox/replies', said);
  await becomesDisputed(order);
}

/** The store opens "Mi cuenta" with a code by SMS, and presses the button. Pressed again it changes nothing. */
async function denyOnPage(order: Expected): Promise<void> {
  const { id, store } = order;
  let cookie = '';
  const press = (path: string, form = {}) => {
    const body = new URLSearchParams(form);
    const request = { method: 'POST', body, headers: { cookie }, redirect: 'manual' } as const;
    return fetch(`${system.baseUrl}${path}`, request);
  };
  const begun = await press('/mi/empezar', { phone: store.phone });
  cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  await press('/mi', { code: codeIn(await system.sms(store.phone, 'account-code')) });
  for (let times = 0; times < 2; times += 1) {
    // A service that was killed may not be back.
    await waitFor(async () => {
      const page = await press(`/mi/pedido/${id}/no`);
      return (await page.text()).includes('Anotamos que no es tuyo') || undefined;
    }, DEADLINE_MS);
  }
  await becomesDisputed(order);
}

async function becomesDisputed(order: Expected): Promise<void> {
  await eventually(async () => (await disputesOf(order)).map(({ status }) => status), ['open']);
  order.isDisputed = true;
}

const disputesOf = async ({ id }: Expected): Promise<{ disputeId: string; status: string }[]> =>
  (await ops('GET', `/admin/disputes?transactionId=${id}`)).disputes;

async function decide(order: Expected, decision: 'keep' | 'credit'): Promise<void> {
  const [dispute] = await disputesOf(order);
  const path = `/admin/disputes/${dispute?.disputeId}/${decision}`;
  await ops('POST', path, { reason: 'Se revisó con el chofer' });
  order.isDisputed = false;
  if (decision === 'credit') noteCredit(order, order.cents - order.creditedCents);
}

function isPayable({ isProven, holdDays, isPaid, isDisputed }: Expected): boolean {
  return !isDisputed && (isProven || holdDays === 0 || isPaid);
}

const sumOf = (cents: number[]): number => cents.reduce((all, one) => all + one, 0);

/** Closes a statement while transactions is killed. @returns its gross in cents */
async function close(): Promise<number> {
  const payable = orders.filter(isPayable).flatMap(({ openLines }) => openLines);
  const held = orders.filter((order) => !isPayable(order)).flatMap(({ openLines }) => openLines);
  await eventually(async () => {
    const { lines, grossAmount, heldLines } = await own('GET', '/statements/draft');
    return [lines, Math.round(100 * grossAmount), heldLines];
  }, [payable.length, sumOf(payable), held.length]);
  const body = { wholesalerId: wholesaler.wholesalerId, until: new Date().toISOString() };
  const closing = ops('POST', '/admin/statements/close', body);
  // While it closes, or shortly before or after.
  await sleep(orders.length % 3);
  system.kill('transactions');
  const { statements } = await closing;
  for (const order of orders) if (isPayable(order)) order.openLines = [];
  expect(statements).toHaveLength(1);
  const gross = Math.round(100 * statements[0].grossAmount);
  expect([statements[0].lines, gross]).toEqual([payable.length, sumOf(payable)]);
  // Nothing is negative that the wholesaler does not owe.
  const { openingBalance, netAmount, amountDue } = statements[0];
  expect([openingBalance, amountDue]).toEqual([Math.min(0, lastNet), Math.max(0, netAmount)]);
  expect(netAmount < 0).toBe(100 * openingBalance + gross < 0);
  lastNet = netAmount;
  return gross;
}

it(
  'a month with unproven deliveries, disputes, notes and deposits has statements that equal a model, whatever is killed',
  async () => {
    const closed: number[] = [];
    for (const [week, holdDays] of HOLD_DAYS.entries()) {
      await hold(holdDays);
      // One in five without its word.
      const sold = await Promise.all(
        Array.from({ length: ORDERS }, (_, at) =>
          sell(100_01 + 137 * at + 7 * week, holdDays, at % 5 !== 2),
        ),
      );
      const [first, second, unproven, third, fourth, fifth, , otherUnproven] = sold;
      if (!first || !second || !unproven || !third || !fourth || !fifth || !otherUnproven) {
        throw new Error('A week has its orders');
      }
      // Notes to a held line and to one that is not.
      await credit(unproven, 500);
      await credit(first, 301);
      await Promise.all([deny(second), denyOnPage(third), deny(otherUnproven)]);
      await credit(third, 250);
      closed.push(await close());

      // A debt that is paid frees its line; a dispute holds one that is paid, too, until it is kept or credited.
      await pay(unproven);
      await pay(second);
      await pay(third);
      await pay(fourth);
      // A note to a line that a statement has.
      await credit(fifth, 199);
      await decide(third, 'credit');
      await decide(otherUnproven, 'keep');
      closed.push(await close());
      await decide(second, 'keep');
    }
    const left = orders.filter((order) => order.openLines.length > 0 && !isPayable(order));
    expect(left.length).toBeGreaterThan(0);
    await Promise.all(left.map(pay));
    closed.push(await close());

    expect(orders.flatMap(({ openLines }) => openLines)).toEqual([]);
    expect(sumOf(closed)).toBe(
      sumOf(orders.map(({ cents, creditedCents }) => cents - creditedCents)),
    );
    // The service that was killed last may not be back.
    const report = await waitFor(() => verify(system).catch(() => undefined), DEADLINE_MS);
    expect(report).toEqual({ ok: true, broken: [] });
  },
  5 * DEADLINE_MS,
);
