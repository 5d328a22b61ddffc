import { randomUUID } from 'node:crypto';
import { waitFor } from './support/api';
import {
  describeInBrowser,
  look,
  openConsole,
  type ConsoleTour,
  type Person,
} from './support/console';
import { termsOf } from './support/console-changes';
import { createWaitingStore } from './support/console-stores';
import {
  codeIn,
  confirm,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
/** Its references belong to no debt. */
const UNKNOWN_DEPOSIT = {
  idFactura: 'desconocida',
  numeroReferencia: 'desconocida',
  valor: 250.5,
  fechaPago: '2026-11-20 10:00:00.000',
};

/** Of 85 letters: a list shows its begin, and the whole of it in its title. */
const LONG_NAME =
  'Comercializadora y Distribuidora de Abarrotes del Bajío y Centro Norte, S. A. de C.V.';

describeInBrowser('the pages of the console', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  let store: Store;
  let provider: Provider;
  let transactionId: string;
  let depositId: string;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system, { name: LONG_NAME });
    store = await createStore(system, wholesaler);
    const ordered = await order(system, wholesaler, store);
    await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
    ({ transactionId } = ordered);
    await deliver(system, wholesaler, transactionId);
    provider = await createProvider(system);
    const deposit = { ...UNKNOWN_DEPOSIT, claveDePago: randomUUID() };
    const query = { paymentProviderName: provider.name };
    await system.client(provider.key).payments.recordDeposit(deposit, query);
    const path = '/admin/deposits?status=unmatched&limit=100';
    depositId = await waitFor(async () => {
      const { body } = await system.call(system.opsKey, 'GET', path);
      const own = body.deposits.find(
        ({ claveDePago }: { claveDePago: string }) => claveDePago === deposit.claveDePago,
      );
      return own?.depositId;
    });
  });
  afterAll(() => tour.close());

  /** The pages that the navigation of that person has, and one of each record. */
  async function pagesOf({ page }: Person): Promise<string[]> {
    const links = await page
      .locator('nav a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    return [
      ...links,
      `/tiendas/${store.cornerStoreId}`,
      `/pedidos/${transactionId}`,
      `/depositos/${depositId}`,
      `/depositos/${depositId}/asignar?tienda=${store.cornerStoreId}`,
      `/depositos/varios?deposito=${depositId}`,
      `/depositos/varios?deposito=${depositId}&tienda=${store.cornerStoreId}`,
      `/mayoristas/${wholesaler.wholesalerId}`,
      '/cobranza?status=todos&orden=createdAt',
      '/buscar',
      '/cobranza?status=pending&vence=2099-12-31',
    ];
  }

  /** Such as home, tiendas and tiendas-one. */
  const nameOf = (path: string): string => {
    const [, section = '', record] = path.split(/[/?]/);
    return record === undefined ? section || 'home' : `${section}-one`;
  };

  async function lookAtAll(admin: Person): Promise<void> {
    for (const path of await pagesOf(admin)) {
      expect([path, await admin.goto(path)]).toEqual([path, 200]);
      // All that shows on one width alone: the menu, and the heads of tables.
      const thoroughly = path === '/' || path === '/tiendas';
      await look(admin, `page-${nameOf(path)}`, { thoroughly });
    }
    await admin.goto('/proveedores');
    await admin.page.getByRole('link', { name: provider.name }).click();
    await admin.page.getByRole('term').getByText('Direcciones permitidas').waitFor();
    await look(admin, 'page-proveedores-one');
  }

  it('have no findings of axe and fit 320 pixels, light and dark', async () => {
    const admin = await tour.person('admin', 'Ana Torres');
    await lookAtAll(admin);
    await admin.goto('/personal');
    await admin.page.locator('summary', { hasText: 'Invitar a una persona' }).click();
    await look(admin, 'page-personal-invite');
    await admin.goto('/nada');
    await look(admin, 'page-not-found');
  });

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('fold into a menu on a phone, %s', async (_words, scripts) => {
    const ana = await tour.person('admin', 'Ana Torres', scripts);
    await ana.page.setViewportSize({ width: 360, height: 740 });
    await ana.goto('/');
    const place = ana.page.getByRole('link', { name: 'Cobranza', exact: true });
    expect(await place.isVisible()).toBe(false);
    await ana.press('Menú');
    await place.click();
    await ana.page.waitForURL('**/cobranza');
    await ana.page.getByRole('link', { name: 'Buscar' }).click();
    await ana.page.waitForURL('**/buscar');
  });

  it('lead from a deposit to the debts that it pays, and assign it after a second look', async () => {
    const ana = await tour.person('operator', 'Olga Ruiz');
    await ana.goto(`/depositos/${depositId}`);
    await ana.page.locator('summary', { hasText: 'Asignar a otra tienda' }).click();
    await ana.page.getByLabel('Tienda', { exact: true }).fill(store.externalId);
    await ana.press('Buscar la tienda');
    await ana.page.waitForURL('**/asignar?tienda=*');
    await look(ana, 'deposit-assignment');
    await ana.press('Asignar $250.50');
    await ana.page.getByRole('status').waitFor();
    const { body } = await ana.call('GET', `/admin/deposits/${depositId}`);
    expect(body.cornerStoreId).toBe(store.cornerStoreId);
  });

  it('fit and work without scripts', async () => {
    const waiting = await createWaitingStore(system, wholesaler, 'Abarrotes Sin Guion');
    const ana = await tour.person('admin', 'Ana Torres', false);
    await lookAtAll(ana);
    await ana.goto(`/tiendas/${store.cornerStoreId}`);
    await ana.page.locator('summary', { hasText: 'Cambiar condiciones' }).click();
    await ana.page.getByLabel('Línea en pesos').fill('9000');
    await ana.page.locator('#condiciones').getByLabel('Motivo').fill('Pide menos');
    await ana.press('Guardar');
    expect((await termsOf(system, store.cornerStoreId)).creditLimit).toBe(9000);

    await ana.goto(`/validacion?tienda=${waiting.cornerStoreId}`);
    await ana.page.locator('summary', { hasText: 'Rechazar' }).click();
    await ana.page.locator('details').getByLabel('Motivo').fill('La foto no se lee');
    await ana.press('Rechazar');
    expect((await termsOf(system, waiting.cornerStoreId)).status).toBe('pre-approved');
    await ana.press('Salir');
    await ana.goto('/tiendas');
    expect(ana.page.url()).toBe(`${system.consoleUrl}/entrar`);
  });

  it('show a viewer no full phone number, and the API gives none', async () => {
    const viewer = await tour.person('viewer', 'Vera Luna');
    const digits = store.phone.slice(3);
    for (const path of await pagesOf(viewer)) {
      expect([path, await viewer.goto(path)]).toEqual([path, 200]);
      expect((await viewer.page.content()).replaceAll(/\D/g, '')).not.toContain(digits);
    }
    for (const [method, path, body] of [
      ['GET', '/admin/corner-stores'],
      ['GET', `/admin/corner-stores/${store.cornerStoreId}`],
      ['GET', `/admin/corner-stores/${store.cornerStoreId}/timeline`],
      ['POST', '/admin/messages/search', { userId: store.userId }],
      ['POST', '/admin/messages/search', {}],
      ['POST', '/admin/search', { q: store.externalId }],
      ['GET', '/admin/customers'],
      ['GET', '/admin/transactions'],
      ['GET', '/admin/receivables'],
      ['GET', '/admin/audit'],
    ] as const) {
      const { status, text } = await viewer.call(method, path, body);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(digits);
    }
  });
});
