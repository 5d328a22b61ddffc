import { randomUUID } from 'node:crypto';
import type { OpsScope } from '@fiado/contracts/caller';
import { waitFor } from './support/api';
import {
  counted,
  describeInBrowser,
  look,
  openConsole,
  type ConsoleTour,
  type Person,
} from './support/console';
import { termsOf } from './support/console-changes';
import {
  codeIn,
  confirm,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
  randomWord,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
const PRODUCTS = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

describeInBrowser('in the console', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  let provider: Provider;
  let store: Store;
  let lastNames: string;
  let name: string;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system);
    provider = await createProvider(system);
    lastNames = randomWord();
    name = `Lucía ${lastNames}`;
    store = await createStore(system, wholesaler, { lastNames });
    await untilFound(lastNames, 1);
  });
  afterAll(() => tour.close());

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_words, scripts) => {
    const people = new Map<OpsScope, Person>();
    const signIn = async (role: OpsScope, who: string): Promise<Person> => {
      const person = people.get(role) ?? (await tour.person(role, who, scripts));
      people.set(role, person);
      return person;
    };

    it('a person who sees masked numbers reveals one in 3 clicks, with a reason', async () => {
      const vera = await signIn('viewer', 'Vera Luna');
      const { page } = vera;
      await vera.goto('/');
      const { press, find, clicks } = counted(vera);
      await find(store.externalId);
      expect((await vera.text()).replaceAll(/\D/g, '')).not.toContain(store.phone.slice(3));
      await press(page.locator('summary', { hasText: 'Ver el teléfono' }));
      await page.getByLabel('Para qué').selectOption('Una entrega');
      await look(vera, 'reveal-reason');
      await press(page.getByRole('button', { name: 'Ver el teléfono' }));
      await page.getByRole('heading', { name: 'Teléfono de la tienda' }).waitFor();
      expect(await vera.text()).toContain(store.phone);
      await look(vera, 'revealed-phone');
      expect(clicks()).toBe(3);
    });

    it('a store is found by half of a name in 1 click, and of several there is a list', async () => {
      const olga = await signIn('operator', 'Olga Ruiz');
      await olga.goto('/');
      const { find, clicks } = counted(olga);
      await find(lastNames.slice(0, 6));
      await olga.page.waitForURL(`**/tiendas/${store.cornerStoreId}`);
      expect(clicks()).toBe(1);
      await createStore(system, wholesaler);
      await untilFound('Lucía', 2);
      await find('Lucía');
      await olga.page.getByRole('cell', { name: 'Tienda', exact: true }).first().waitFor();
      await look(olga, 'search-by-name');
      await olga.page.getByRole('link', { name, exact: true }).click();
      await olga.page.goBack();
      await olga.page.getByRole('cell', { name: 'Tienda', exact: true }).first().waitFor();
      if (!scripts) return;
      await olga.page.locator('#q').pressSequentially(name.split(' ')[1]?.slice(0, 6) ?? '');
      await olga.page.locator('.suggested a').first().waitFor();
      await look(olga, 'search-suggestions');
      // A narrow screen hides the field, which loses the focus.
      await olga.page.locator('#q').press('ArrowDown');
      await olga.page.keyboard.press('Enter');
      await olga.page.waitForURL(`**/tiendas/${store.cornerStoreId}`);
    });

    it('the code of an order is sent again in 2 clicks', async () => {
      const waiting = await createStore(system, wholesaler);
      const { transactionId, incrementalID } = await order(system, wholesaler, waiting);
      const code = codeIn(await system.sms(waiting.phone, 'order-code'));
      const olga = await signIn('operator', 'Olga Ruiz');
      await olga.goto('/');
      const { press, find, clicks } = counted(olga);
      await find(String(incrementalID));
      await olga.page.waitForURL(`**/pedidos/${transactionId}`);
      await press(olga.page.getByRole('button', { name: 'Reenviar clave' }));
      await olga.page.getByRole('status').waitFor();
      await look(olga, 'code-sent-again');
      expect(clicks()).toBe(2);
      expect(codeIn(await system.sms(waiting.phone, 'order-code', 1))).toBe(code);
    });

    it('a deposit is assigned to the debt that it resembles in 4 clicks', async () => {
      const ofOwner = randomWord();
      const owing = await createStore(system, wholesaler, { lastNames: ofOwner });
      const depositId = await depositWithSlip(owing);
      const olga = await signIn('operator', 'Olga Ruiz');
      await olga.goto('/');
      const { page } = olga;
      const { press, clicks } = counted(olga);
      await press(page.getByRole('link', { name: 'Depósitos', exact: true }));
      await press(page.locator(`a[href="/depositos/${depositId}"]`));
      await press(page.getByRole('link', { name: `Asignar: Lucía ${ofOwner}` }));
      await look(olga, 'assignment');
      await press(page.getByRole('button', { name: /^Asignar \$/ }));
      await page.getByRole('status').waitFor();
      expect(clicks()).toBe(4);
      const { body } = await olga.call('GET', `/admin/deposits/${depositId}`);
      expect(body).toMatchObject({ status: 'applied', cornerStoreId: owing.cornerStoreId });
      await look(olga, 'assigned');
      const vera = await signIn('viewer', 'Vera Luna');
      await vera.goto(`/depositos/${depositId}`);
      expect(await vera.page.getByRole('row', { name: /Asignado/ }).innerText()).toContain(
        'Olga Ruiz',
      );
    });

    it('a dispute is decided in 3 clicks, on a phone too', async () => {
      const owing = await createStore(system, wholesaler);
      const { transactionId } = await deliveredDebt(owing);
      const olga = await signIn('operator', 'Olga Ruiz');
      const { body } = await olga.call('POST', `/admin/transactions/${transactionId}/disputes`);
      const { page } = olga;
      await page.setViewportSize({ width: 360, height: 740 });
      await olga.goto('/');
      const { press, clicks } = counted(olga);
      await press(page.locator('main a[href="/disputas"]'));
      await look(olga, 'disputes');
      await press(page.locator(`a[href="/disputas/${body.disputeId}"]`));
      await look(olga, 'dispute');
      const reason = 'La palabra de entrega fue correcta';
      await page.getByLabel('Motivo').first().fill(reason);
      await press(page.getByRole('button', { name: 'Mantener el cobro' }));
      await page.getByRole('status').waitFor();
      expect(clicks()).toBe(3);
      const decided = await olga.call('GET', `/admin/disputes/${body.disputeId}`);
      expect(decided.body).toMatchObject({ status: 'kept', decidedBy: olga.staffId, reason });
      await look(olga, 'dispute-decided');
      await page.setViewportSize({ width: 1280, height: 740 });
    });

    it('who says “I paid” is helped in 2 clicks, and a wrong assignment is undone in 2', async () => {
      const owing = await createStore(system, wholesaler);
      const depositId = await depositWithSlip(owing);
      const olga = await signIn('operator', 'Olga Ruiz');
      const { page } = olga;
      await olga.goto(`/tiendas/${owing.cornerStoreId}`);
      expect(await olga.text()).toContain('una referencia parecida, el mismo monto');
      const paid = counted(olga);
      await paid.press(page.locator(`a[href^="/depositos/${depositId}/asignar"]`));
      await paid.press(page.getByRole('button', { name: /^Asignar \$/ }));
      await page.getByRole('status').waitFor();
      expect(paid.clicks()).toBe(2);
      const statusOfDeposit = async () =>
        (await olga.call('GET', `/admin/deposits/${depositId}`)).body.status;
      await waitFor(async () => (await statusOfDeposit()) === 'applied' || undefined);

      await olga.goto(`/depositos/${depositId}`);
      const undone = counted(olga);
      await undone.press(page.locator('summary', { hasText: 'Deshacer la asignación' }));
      await undone.press(page.getByRole('button', { name: 'Deshacer la asignación' }));
      await page.getByText('Sin asignar').first().waitFor();
      expect([undone.clicks(), await statusOfDeposit()]).toEqual([2, 'unmatched']);
      expect(await olga.text()).toContain('Me equivoqué de tienda');
    });

    it('a higher limit is asked for in 2 clicks and approved in 2; who changed it is read after 1, and in the audit log after 2', async () => {
      const { cornerStoreId, externalId } = await createStore(system, wholesaler);
      const ana = await signIn('approver', 'Ana Torres');
      await ana.goto(`/tiendas/${cornerStoreId}`);
      const asked = counted(ana);
      await asked.press(ana.page.getByRole('link', { name: 'Cambiar condiciones' }));
      const terms = ana.page.locator('#condiciones');
      await terms.getByText('Hoy $10,000.00. Por ejemplo 25,000.').waitFor();
      await terms.getByLabel('Línea en pesos').fill('20,000');
      await terms.getByLabel('Motivo').fill('Paga a tiempo');
      await asked.press(terms.getByRole('button', { name: 'Guardar' }));
      const link = ana.page.getByRole('link', { name: 'Ver la solicitud' });
      const request = (await link.getAttribute('href')) ?? '';
      expect(asked.clicks()).toBe(2);

      // A decision needs a sign-in of the last minutes.
      const bruno = await tour.person('approver', 'Bruno Díaz', scripts);
      await bruno.goto('/aprobaciones');
      const decided = counted(bruno);
      const line = bruno.page.locator(`a[href="${request}"]`);
      expect(await line.innerText()).toContain('Lucía Ortega · Línea: $10,000.00 → $20,000.00');
      await decided.press(line);
      await bruno.page.getByText('Cómo paga la tienda').waitFor();
      const known = await bruno.text();
      expect(known).toMatch(/Pagados a tiempo\s+0 de 0/);
      expect(known).toContain('Paga a tiempo');
      await decided.press(bruno.page.getByRole('button', { name: 'Aprobar' }));
      await bruno.page.getByText('Listo, se guardó tu decisión.').waitFor();
      expect(decided.clicks()).toBe(2);
      await waitFor(async () => {
        const { creditLimit } = await termsOf(system, cornerStoreId);
        return creditLimit === 20_000 || undefined;
      });

      const read = counted(bruno);
      await read.find(externalId);
      const change = bruno.page.getByRole('row', { name: /lo pidió y Bruno Díaz lo aprobó/ });
      expect(await change.innerText()).toMatch(
        /Línea: \$10,000\.00 → \$20,000\.00[^]*Paga a tiempo/,
      );
      expect(read.clicks()).toBe(1);
      await read.press(bruno.page.getByRole('link', { name: 'En la auditoría' }));
      await bruno.page.waitForURL(/\/auditoria\?.*status=changes/);
      const entry = bruno.page.getByRole('row', { name: /cambió las condiciones de/ });
      expect(await entry.first().innerText()).toMatch(/lo aprobó Bruno Díaz[^]*Paga a tiempo/);
      expect(read.clicks()).toBe(2);
    });

    it('a store whose phone was stolen is paused in 2 clicks, and another person lifts it in 2', async () => {
      const { cornerStoreId } = await createStore(system, wholesaler);
      const olga = await signIn('operator', 'Olga Ruiz');
      await olga.goto(`/tiendas/${cornerStoreId}`);
      const paused = counted(olga);
      await paused.press(olga.page.locator('summary', { hasText: 'Pausar esta tienda' }));
      await paused.press(olga.page.getByRole('button', { name: 'Pausar esta tienda' }));
      await olga.page.getByText('En pausa por ti').waitFor();
      await look(olga, 'store-paused');
      expect(paused.clicks()).toBe(2);

      const ana = await signIn('approver', 'Ana Torres');
      await ana.goto(`/tiendas/${cornerStoreId}`);
      const lifted = counted(ana);
      await lifted.press(ana.page.locator('summary', { hasText: 'Levantar la pausa' }));
      const form = ana.page.locator(`form[action="/tiendas/${cornerStoreId}/reanudar"]`);
      await form.getByLabel('Motivo').fill('Vino a la oficina');
      await lifted.press(form.getByRole('button', { name: 'Levantar la pausa' }));
      await ana.page.getByText('Pausar esta tienda').first().waitFor();
      expect([lifted.clicks(), (await termsOf(system, cornerStoreId)).status]).toEqual([
        2,
        'approved',
      ]);
    });

    it('why an order was refused is read after 2 clicks', async () => {
      const asked = { cornerStoreId: store.cornerStoreId, totalAmount: 20_000, products: PRODUCTS };
      const refused = await system.call(wholesaler.key, 'POST', '/transaction', { body: asked });
      expect(refused.body.errorCode).toBe('CREDIT_LIMIT_EXCEEDED');
      const vera = await signIn('viewer', 'Vera Luna');
      await vera.goto('/');
      const { press, find, clicks } = counted(vera);
      await find(store.externalId);
      await press(vera.page.getByRole('link', { name: 'Pedidos', exact: true }).last());
      const why = vera.page.getByText(/pidió \$20,000\.00 y tenía disponible \$/).first();
      await waitFor(async () => {
        if (await why.isVisible()) return true;
        await vera.page.reload();
        return undefined;
      });
      expect(clicks()).toBe(2);
      await look(vera, 'refused-order');
    });
  });

  /** A loop indexes the words of the names of new stores. */
  async function untilFound(q: string, stores: number): Promise<void> {
    await waitFor(async () => {
      const { body } = await system.call(system.opsKey, 'POST', '/admin/search', { body: { q } });
      return body.hits.length >= stores || undefined;
    });
  }

  /** The debt of an order that was delivered to a store. */
  async function deliveredDebt(
    owing: Store,
  ): Promise<{ transactionId: string; idFactura: string; amountDue: number }> {
    const ordered = await order(system, wholesaler, owing);
    await confirm(system, wholesaler, ordered, codeIn(await system.sms(owing.phone, 'order-code')));
    await deliver(system, wholesaler, ordered.transactionId);
    const { payments } = system.client(wholesaler.key);
    const { transactionId } = ordered;
    return waitFor(async () => {
      const debt = await payments.get(transactionId).catch(() => undefined);
      return debt && { ...debt, transactionId };
    });
  }

  /** A deposit of what a store owes for an order, with a slip in its reference: it is unmatched. @returns its id */
  async function depositWithSlip(owing: Store): Promise<string> {
    const { idFactura, amountDue } = await deliveredDebt(owing);
    const reference = `${idFactura.slice(0, -1)}${(Number(idFactura.at(-1)) + 5) % 10}`;
    const claveDePago = randomUUID();
    const deposit = {
      idFactura: reference,
      numeroReferencia: reference,
      valor: amountDue,
      fechaPago: '2026-11-20 10:00:00.000',
      claveDePago,
    };
    const query = { paymentProviderName: provider.name };
    await system.client(provider.key).payments.recordDeposit(deposit, query);
    return waitFor(async () => {
      const path = '/admin/deposits?status=unmatched&limit=100';
      const { body } = await system.call(system.opsKey, 'GET', path);
      return body.deposits.find((one: { claveDePago: string }) => one.claveDePago === claveDePago)
        ?.depositId;
    });
  }
});
