import { asOwner } from '@fiado/chassis/testing/as-owner';
import { randomInt, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { waitFor } from './support/api';
import {
  arePicturesKept,
  describeInBrowser,
  keepPicture,
  openConsole,
  type ConsoleTour,
  type Person,
} from './support/console';
import { requestLimit } from './support/console-changes';
import { createWaitingStore } from './support/console-stores';
import {
  codeIn,
  confirm,
  createAccountLink,
  createStore,
  createWholesaler,
  pay,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();

const PRODUCTS = [
  { externalSKU: 'REF-600', name: 'Refresco 600 ml', quantity: 120 },
  { externalSKU: 'ACE-1000', name: 'Aceite vegetal 1 L', quantity: 24 },
  { externalSKU: 'AZU-1', name: 'Azúcar estándar 1 kg', quantity: 36 },
];

/** Owners of stores, with what they ordered and by how many days their debts are late. */
const OTHERS = [
  ['Guadalupe', 'Hernández López', 4200, 0],
  ['José', 'Martínez Cruz', 1850.5, 3],
  ['Rosa', 'Ramírez Flores', 2980, 12],
  ['Carmen', 'Ríos Peña', 6400, 0],
  ['Julio', 'Sandoval Mora', 950, 41],
  ['Teresa', 'Aguilar Soto', 3315.25, 0],
] as const;

/** What a lender and a store see on one day. */
describeInBrowser('the pictures of README.md and docs/guides/ops.md', () => {
  let tour: ConsoleTour;
  let bruno: Person;
  let wholesaler: Wholesaler;
  let provider: Provider;
  let lupita: Store;
  let delivered: string;
  let waiting: Store;
  let changeRequestId: string;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system, { name: 'Abarrotera del Centro' });
    [provider, lupita, waiting] = await Promise.all([
      namedProvider(),
      createWaitingStore(system, wholesaler, 'Abarrotes Lupita', { externalId: 'tienda-014' }),
      createWaitingStore(system, wholesaler, 'Miscelánea El Sol'),
      ...OTHERS.map(async ([firstName, lastNames, amount, daysLate]) => {
        const store = await createStore(system, wholesaler, { firstName, lastNames });
        const transactionId = await buy(store, amount, 0);
        if (daysLate > 0) await letBeLate(transactionId, daysLate);
      }),
    ]);
    const approve = `/admin/corner-stores/${lupita.cornerStoreId}/approve`;
    expect((await system.call(system.opsKey, 'POST', approve)).status).toBe(200);
    await pay(system, wholesaler, provider, await buy(lupita, 1200, 0));
    delivered = await buy(lupita, 4200, 1);
    await recordDeposits();
    await spreadOverDay();
    const detect = await system.call(system.opsKey, 'POST', '/admin/defaults/detect');
    expect(detect.status).toBe(200);
    const ana = await tour.person('approver', 'Ana Torres');
    changeRequestId = await requestLimit(ana, lupita.cornerStoreId, 20_000);
    bruno = await tour.person('approver', 'Bruno Díaz');
  });
  afterAll(() => tour.close());

  it('show the console with the work of a day', async () => {
    if (arePicturesKept) await waitForFigures();
    for (const [name, path] of [
      ['home', '/'],
      ['store', `/tiendas/${lupita.cornerStoreId}`],
      ['order', `/pedidos/${delivered}`],
      ['collection', '/cobranza?status=todos'],
      ['validation', `/validacion?tienda=${waiting.cornerStoreId}`],
    ] as const) {
      expect([path, await bruno.goto(path)]).toEqual([path, 200]);
      for (const width of [1280, 360]) {
        await keepPicture(bruno.page, `console-${name}`, { width });
      }
    }
    await bruno.goto('/');
    await keepPicture(bruno.page, 'console-home', { width: 1280, colorScheme: 'dark' });
    await bruno.goto(`/aprobaciones/${changeRequestId}`);
    await keepPicture(bruno.page, 'console-approval', { width: 1280 });
    const email = `dora.${randomUUID().slice(0, 8)}@lender.example`;
    const { body } = await system.call(system.opsKey, 'POST', '/admin/staff', {
      body: { email, name: 'Dora Vega', role: 'operator' },
    });
    await bruno.context.clearCookies();
    await bruno.goto(new URL(body.invitationLink).pathname);
    await keepPicture(bruno.page, 'console-invitation', { width: 1280 });
  });

  it('show the pages of a store', async () => {
    const page = await tour.browser.newPage();
    const { body } = await system.call(
      wholesaler.key,
      'POST',
      `/link/external/${lupita.externalId}`,
      { body: { transaction: { totalAmount: 2500, products: PRODUCTS } } },
    );
    await page.goto(`${system.baseUrl}${new URL(body.link).pathname}`);
    await typeCode(page, lupita, 'order-code');
    await keepBoth(page, 'store-order');
    await openAccount(page, lupita);
    await keepBoth(page, 'store-account-debt');
    await keepPicture(page, 'store-account-debt', { width: 360, colorScheme: 'dark' });
    await openAccount(page, await createStore(system, wholesaler));
    await keepBoth(page, 'store-account');
  });

  /** Those of the first page are up to a minute old. */
  async function waitForFigures(): Promise<void> {
    await waitFor(async () => {
      await bruno.goto('/');
      return /Depósitos? sin asignar/.test(await bruno.text()) || undefined;
    }, 120_000);
  }

  /** An order that was confirmed and delivered, a little less than ordered. @returns its id */
  async function buy(store: Store, totalAmount: number, seen: number): Promise<string> {
    const { transactions } = system.client(wholesaler.key);
    const ordered = await transactions.create({
      cornerStoreId: store.cornerStoreId,
      totalAmount,
      products: PRODUCTS,
      wholesalerTransactionId: `PED-${randomInt(1000, 9999)}-${randomUUID().slice(0, 4)}`,
    });
    const code = codeIn(await system.sms(store.phone, 'order-code', seen));
    await confirm(system, wholesaler, ordered, code);
    const { transactionId } = ordered;
    await transactions.deliver(transactionId, {
      status: 'delivery',
      transactionAmount: totalAmount - 100,
    });
    const { payments } = system.client(wholesaler.key);
    await waitFor(() => payments.get(transactionId).catch(() => undefined));
    return transactionId;
  }

  async function letBeLate(transactionId: string, days: number): Promise<void> {
    await asOwner(system.databaseUrl, (owner) =>
      owner.query(
        `UPDATE payments.receivables
          SET due_at = due_at - make_interval(days => $2::int + 14), due_on = due_on - ($2::int + 14)
        WHERE transaction_id = $1`,
        [transactionId, days],
      ),
    );
  }

  /** The orders of this wholesaler since midnight of the lender, for the chart of its hours. */
  async function spreadOverDay(): Promise<void> {
    await asOwner(system.databaseUrl, (owner) =>
      owner.query(
        `UPDATE transactions.transactions t
          SET created_at = created_at - (created_at - date_trunc('day', created_at, $2)) * part
         FROM (SELECT id, row_number() OVER (ORDER BY id)::float8 / (count(*) OVER () * 2) AS part
                 FROM transactions.transactions WHERE wholesaler_id = $1) parts
        WHERE t.id = parts.id`,
        [wholesaler.wholesalerId, 'America/Mexico_City'],
      ),
    );
  }

  async function namedProvider(): Promise<Provider> {
    const name = `Pagos Demo ${randomUUID().slice(0, 4)}`;
    const { body } = await system.call(system.opsKey, 'POST', '/admin/payment-providers', {
      body: { name },
    });
    return { name, key: body.apiKey };
  }

  /** A part of what Lupita owes, and money that belongs to nobody. */
  async function recordDeposits(): Promise<void> {
    const { idFactura, numeroReferencia } = await system
      .client(wholesaler.key)
      .payments.get(delivered);
    const today = `${new Date().toISOString().slice(0, 10)} 00:00:00.000`;
    const unknown = `${numeroReferencia.slice(0, -1)}${(Number(numeroReferencia.at(-1)) + 5) % 10}`;
    for (const deposit of [
      { idFactura, numeroReferencia, valor: 2000 },
      { idFactura: unknown, numeroReferencia: unknown, valor: 3385.6 },
    ]) {
      const body = { ...deposit, fechaPago: today, claveDePago: randomUUID() };
      const query = { paymentProviderName: provider.name };
      await system.client(provider.key).payments.recordDeposit(body, query);
    }
  }

  async function openAccount(page: Page, store: Store): Promise<void> {
    await page.context().clearCookies();
    await page.goto(await createAccountLink(system, wholesaler, store));
    await page.getByLabel('Tu celular').fill(store.phone);
    await typeCode(page, store, 'account-code');
  }

  async function typeCode(page: Page, store: Store, template: string): Promise<void> {
    const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
      body: { phoneNumber: store.phone },
    });
    const seen = body.messages.filter((one: { template: string }) => one.template === template);
    await page.getByRole('button', { name: 'Enviar clave' }).click();
    const code = codeIn(await system.sms(store.phone, template, seen.length));
    await page.getByLabel('Clave de seis números').fill(code);
    await page.getByRole('button', { name: /^Ver mi/ }).click();
    await page.waitForLoadState();
  }

  async function keepBoth(page: Page, name: string): Promise<void> {
    for (const width of [1280, 360]) await keepPicture(page, name, { width });
  }
});
