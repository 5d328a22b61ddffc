import { randomUUID } from 'node:crypto';
import { dayAfter } from '@fiado/contracts/clock';
import type { Client } from 'pg';
import { startFacturapi, type Facturapi } from '../../services/transactions/test/support/facturapi';
import { waitFor } from './support/api';
import { deposit, orderBatch, paymentOf, verify } from './support/month';
import {
  createProvider,
  createStore,
  createWholesaler,
  type Store,
  type Wholesaler,
} from './support/story';
import { startSystem, type System } from './support/system';

/** Ends what hangs: 500 invoices, and processes that are killed meanwhile. */
const DEADLINE_MS = 150_000;

const WEEKS = 4;
const STORES = 5;
/** Of each store and week: 500 in all. */
const ORDERS = 25;

/** Taxpayers whom the stand-in knows. */
const PROFILES = [
  { rfc: 'LULU800101AB1', legalName: 'GUADALUPE LUNA LUNA', taxRegime: '626', postalCode: '06000' },
  { rfc: 'MAGO750615QX3', legalName: 'MARIO GOMEZ ORTIZ', taxRegime: '612', postalCode: '64000' },
];

const TAXES = [
  [{ type: 'IVA', rate: 0.16 }],
  [
    { type: 'IEPS', rate: 0.08 },
    { type: 'IVA', rate: 0 },
  ],
  [
    { type: 'IEPS', rate: 3.08, factor: 'Cuota' },
    { type: 'IVA', rate: 0.16 },
  ],
];

let facturapi: Facturapi;
let system: System;
let owner: Client;
let wholesaler: Wholesaler;
/** Whose data are cancelled. */
let leaver: Store;
const stores: Store[] = [];

beforeAll(async () => {
  facturapi = await startFacturapi();
  const { FACTURAPI_BASE_URL = '' } = facturapi.config;
  system = await startSystem({ env: { FACTURAPI_BASE_URL, FOUR_EYES: 'off' } });
  owner = await system.connect();
  const settings = { confirmationRequired: false, settlementEvery: 'on-demand' };
  wholesaler = await createWholesaler(system, settings);
  const issuer = { provider: 'facturapi', apiKey: 'sk_test_north1234', receiptPaymentForm: '03' };
  await ops('PUT', `/admin/wholesalers/${wholesaler.wholesalerId}/invoice-issuer`, issuer);
  for (let at = 0; at <= STORES; at += 1) {
    const store = await createStore(system, wholesaler, { creditLimit: 1_000_000 });
    const profile = { ...PROFILES[at % PROFILES.length], cfdiUse: 'G01' };
    await own('PUT', `/account/${store.userId}/tax-profile`, profile);
    if (at < STORES) stores.push(store);
    else leaver = store;
  }
});
afterAll(async () => {
  await system?.dispose();
  await facturapi.stop();
});

/** A call that a killed process may refuse at first, and transactions while it has not heard of the wholesaler. */
async function call(key: string, method: string, path: string, body?: object) {
  return waitFor(async () => {
    const answer = await system.call(key, method, path, body && { body }).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return undefined;
    if (answer.body.errorCode === 'WHOLESALER_NOT_FOUND') return undefined;
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  }, DEADLINE_MS);
}
const ops = async (method: string, path: string, body?: object) =>
  (await call(system.opsKey, method, path, body)).body;
const own = async (method: string, path: string, body?: object) =>
  (await call(wholesaler.key, method, path, body)).body;

interface Sold {
  id: string;
  cents: number;
  deliveredCents: number;
  at: number;
}

/** Orders of a week, delivered: one in five with less than was ordered. */
async function sell(week: number): Promise<Sold[]> {
  const sold: Sold[] = [];
  for (const [nth, store] of stores.entries()) {
    const cents = Array.from(
      { length: ORDERS },
      (_, at) => 10_001 + 137 * at + 1_013 * nth + 7 * week,
    );
    const ids = await orderBatch(
      system,
      wholesaler,
      store,
      cents.map((one) => one / 100),
    );
    ids.forEach((id, at) => {
      const ordered = cents[at] ?? 0;
      const deliveredCents = at % 5 === 0 ? ordered - 501 : ordered;
      sold.push({ id, cents: ordered, deliveredCents, at });
    });
  }
  return sold;
}

async function invoice({ id, cents, at }: Sold): Promise<void> {
  const product = {
    description: 'Refresco 600 ml',
    price: cents / 100,
    productKey: '50202306',
    sku: 'REF-600',
    taxes: TAXES[at % TAXES.length],
    unitKey: 'H87',
  };
  const body = { invoice: { discount: 0, products: [{ product, quantity: 7 }] } };
  await own('POST', `/transaction/${id}/invoice`, body);
}

/** An order of a store that is invoiced and paid: after it the store owes nothing. */
async function buyAndPayOff(store: Store): Promise<void> {
  const [id = ''] = await orderBatch(system, wholesaler, store, [123.45]);
  await invoice({ id, cents: 12_345, deliveredCents: 12_345, at: 0 });
  await own('PUT', `/transaction/${id}`, { status: 'delivery', transactionAmount: 123.45 });
  const { idFactura, amountDue } = await paymentOf(system, wholesaler, id);
  const provider = await createProvider(system);
  expect(await deposit(system, provider, { idFactura, valor: amountDue })).toBe('200');
  await waitFor(async () => {
    const { status } = await own('GET', `/transaction/${id}/invoice`);
    return status === 'issued' || undefined;
  }, DEADLINE_MS);
}

/** Grants the cancellation of the data of a store's owner, who is blocked at once. */
async function cancel({ userId }: Store): Promise<void> {
  const request = { userId, kind: 'cancellation', channel: 'email', identityProof: 'official-id' };
  const { privacyRequestId } = await ops('POST', '/admin/privacy-requests', request);
  const path = `/admin/privacy-requests/${privacyRequestId}/answer`;
  // Its payment may be on its way.
  await waitFor(
    () => ops('POST', path, { outcome: 'granted' }).catch(() => undefined),
    DEADLINE_MS,
  );
}

/** Some at a time, as an integrator does. */
async function each(sold: Sold[], work: (one: Sold) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < sold.length; from += 10) {
    await Promise.all(sold.slice(from, from + 10).map(work));
  }
}

async function untilNothingWaits(): Promise<void> {
  // What a killed process has claimed is tried at once.
  for (const table of ['invoices', 'tax_documents']) {
    await owner.query(
      `UPDATE transactions.${table} SET next_attempt_at = now() WHERE status = 'pending' OR cancellation = 'requested'`,
    );
  }
  await waitFor(async () => {
    const { rows } = await owner.query<{ waiting: number }>(
      `SELECT (SELECT count(*) FROM transactions.invoices
                WHERE status = 'pending' OR status = 'issued' AND cancellation = 'requested')::int
            + (SELECT count(*) FROM transactions.tax_documents
                WHERE status = 'pending' OR status = 'issued' AND cancellation = 'requested')::int AS waiting`,
    );
    return rows[0]?.waiting === 0 || undefined;
  }, DEADLINE_MS);
}

const closeAndPay = async (): Promise<string> => {
  const until = new Date().toISOString();
  const { wholesalerId } = wholesaler;
  const { statements } = await ops('POST', '/admin/statements/close', { wholesalerId, until });
  const { statementId } = statements[0];
  await payAgain(statementId);
  return statementId;
};

const payAgain = (statementId: string) =>
  ops('POST', `/admin/statements/${statementId}/mark-paid`, {
    bankReference: `SPEI-${randomUUID()}`.slice(0, 30),
    paidOn: dayAfter(new Date(), 'America/Mexico_City').date,
  });

/** Cents of valid complements, by form. */
function paidCents(): Map<string, number> {
  const cents = new Map<string, number>();
  for (const { status, sent } of facturapi.invoices.stamped.values()) {
    if (status !== 'valid' || sent.type !== 'P') continue;
    for (const { payment_form: form, related_documents: documents } of sent.complements?.[0]
      ?.data ?? []) {
      for (const { amount } of documents) {
        cents.set(form, (cents.get(form) ?? 0) + Math.round(100 * amount));
      }
    }
  }
  return cents;
}

it(
  'a month of 500 invoices closes with complements of the gross of its statements, whatever is killed and erased meanwhile',
  async () => {
    const kill = (): void => {
      // It may be on its way back already.
      try {
        system.kill('transactions');
      } catch {}
    };
    const statements: string[] = [];
    for (let week = 0; week < WEEKS; week += 1) {
      const sold = await sell(week);
      // One in ten is invoiced after its statement was settled.
      const late = sold.filter((one) => one.at % 10 === 3);
      await each(
        sold.filter((one) => !late.includes(one)),
        invoice,
      );
      // While invoices are issued.
      kill();
      await each(sold, async ({ id, deliveredCents }) => {
        await own('PUT', `/transaction/${id}`, {
          status: 'delivery',
          transactionAmount: deliveredCents / 100,
        });
      });
      if (week === WEEKS - 1) await buyAndPayOff(leaver);
      const [returned] = sold;
      await own('POST', `/transaction/${returned?.id}/credit-notes`, {
        amount: 12.34,
        reason: 'return',
        reference: `DEV-${week}`,
      });
      const statementId = await closeAndPay();
      statements.push(statementId);
      // While complements are issued.
      kill();
      if (week === 1) {
        await ops('POST', `/admin/statements/${statementId}/mark-returned`, { reason: 'CLABE' });
        kill();
        await payAgain(statementId);
      }
      if (week === WEEKS - 1) await cancel(leaver);
      await each(late, invoice);
      kill();
      await untilNothingWaits();
    }

    const shown = await Promise.all(statements.map((id) => ops('GET', `/admin/statements/${id}`)));
    const sum = (field: 'grossAmount' | 'amountDue') =>
      shown.reduce((cents, statement) => cents + Math.round(100 * statement[field]), 0);
    const cents = paidCents();
    const [transferred = 0, netted = 0] = [cents.get('03'), cents.get('17')];
    expect([transferred + netted, transferred]).toEqual([sum('grossAmount'), sum('amountDue')]);
    expect(shown.map(({ pendingComplements }) => pendingComplements)).toEqual(
      statements.map(() => 0),
    );
    const stamped = [...facturapi.invoices.stamped.values()];
    expect(stamped.filter(({ sent }) => sent.type === 'I')).toHaveLength(501);
    // One in five was delivered for less, and one of each week credited.
    const credited = stamped
      .filter(({ sent }) => sent.type === 'E')
      .reduce((all, { total }) => all + Math.round(100 * total), 0);
    expect(credited).toBe(100 * 501 + WEEKS * 1_234);
    expect(await verify(system)).toEqual({ ok: true, broken: [] });
  },
  10 * DEADLINE_MS,
);
