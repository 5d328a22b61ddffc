import { tourPages } from './support/browser';
import { sharedSystem } from './support/shared-system';
import {
  codeIn,
  confirm,
  createAccountLink,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
  orderByLink,
  pay,
} from './support/story';
import { deposit } from './support/month';
import { waitFor } from './support/api';

const system = sharedSystem();

tourPages('the link of an order that was cancelled or has expired has ended', async (page) => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const cancelled = await orderByLink(system, wholesaler, store);
  await page.goto(cancelled.link);
  const path = `/transaction/${cancelled.transactionId}/cancel`;
  expect((await system.call(wholesaler.key, 'POST', path)).status).toBe(200);
  await page.press('Enviar clave');
  expect(await page.title()).toContain('Este enlace ya no sirve');
  await page.look('ended-1-cancelled');

  const expired = await orderByLink(system, wholesaler, store);
  await letPass(wholesaler.key, 30);
  await page.goto(expired.link);
  expect(await page.title()).toContain('Este enlace ya no sirve');
  await page.look('ended-2-expired');
});

tourPages('a store reaches its account by itself, with its number and a code', async (page) => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const start = await createAccountLink(system, wholesaler, store);
  await page.goto(start);
  await page.look('own-account-1-number');
  await page.type('Tu celular', store.phone);
  await page.press('Enviar clave');
  expect(await page.text()).toContain('Si este celular está registrado');
  await page.look('own-account-2-code');
  await page.type('Clave de seis números', codeIn(await system.sms(store.phone, 'account-code')));
  await page.press('Ver mi cuenta');
  expect(await page.text()).toContain('No debes nada');
  await page.goto(start);
  expect(await page.text()).toContain('No debes nada');
  await page.look('own-account-3-no-debt');
  await page.press('Salir');
  expect(await page.text()).toContain('escribe el celular de tu tienda');
});

tourPages(
  'a store with a debt reads how much, until when and where on one screen',
  async (page) => {
    const wholesaler = await createWholesaler(system);
    const store = await createStore(system, wholesaler);
    const ordered = await order(system, wholesaler, store);
    await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
    await deliver(system, wholesaler, ordered.transactionId);
    const { payments } = system.client(wholesaler.key);
    const debt = await waitFor(() => payments.get(ordered.transactionId).catch(() => undefined));

    await page.goto(await createAccountLink(system, wholesaler, store));
    await page.type('Tu celular', store.phone);
    await page.press('Enviar clave');
    await page.type('Clave de seis números', codeIn(await system.sms(store.phone, 'account-code')));
    await page.press('Ver mi cuenta');
    const screen = page.page.viewportSize()?.height ?? 0;
    const grouped = debt.numeroReferencia.replaceAll(/(....)(?=.)/g, '$1 ');
    for (const words of [
      '$952.20',
      /a más tardar el\s+\S+ \d+ de \S+ de \d{4}/,
      grouped,
      'Tienda de prueba',
    ]) {
      const box = await page.page.getByText(words).first().boundingBox();
      expect([words, (box?.y ?? screen) + (box?.height ?? 0) < screen]).toEqual([words, true]);
    }
    await page.look('own-account-4-debt');
  },
);

tourPages('the page of an order and the account show an overdue debt', async (page) => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const provider = await createProvider(system);
  const overdue = await orderByLink(system, wholesaler, store);
  await page.goto(overdue.link);
  await page.press('Enviar clave');
  await page.type('Clave de seis números', codeIn(await system.sms(store.phone, 'order-code')));
  await page.press('Ver mi pedido');
  await page.press('Acepto este pedido');
  await deliver(system, wholesaler, overdue.transactionId);
  const payment = () =>
    system.call(wholesaler.key, 'GET', `/transaction/${overdue.transactionId}/payment`);
  const { body: bill } = await waitFor(async () => {
    const answer = await payment();
    return answer.status === 200 ? answer : undefined;
  });
  expect(await deposit(system, provider, { idFactura: bill.idFactura, valor: 300 })).toBe('200');
  await waitFor(async () => (await payment()).body.amountPaid === 300 || undefined);
  await page.goto(overdue.link);
  expect(await page.text()).toMatch(/Ya pagaste[^]*\$300\.00/);
  await page.look('overdue-1-partly-paid');

  await letPass(wholesaler.key, 60);
  await page.goto(overdue.link);
  expect(await page.text()).toMatch(/Debes[^]*\$652\.20[^]*Cómo pagar/);
  await page.look('overdue-2-order');

  const account = await createAccountLink(system, wholesaler, store);
  await page.goto(account);
  await page.type('Tu celular', store.phone);
  await page.press('Enviar clave');
  await page.type('Clave de seis números', codeIn(await system.sms(store.phone, 'account-code')));
  await page.press('Ver mi cuenta');
  expect(await page.text()).toMatch(/\$652\.20[^]*\$652\.20[^]*Con atraso/);
  await page.look('overdue-3-account');

  await pay(system, wholesaler, provider, overdue.transactionId);
  await waitFor(async () => (await payment()).body.amountDue === 0 || undefined);
  await page.goto(account);
  expect(await page.text()).toMatch(/No debes nada[^]*Ya pagado[^]*\$952\.20/);
  await page.look('overdue-4-account-paid');
});

/** Lets days pass for the orders of a wholesaler. */
async function letPass(key: string, days: number): Promise<void> {
  const now = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
  const { status } = await system.call(key, 'POST', '/sandbox/clock', { body: { now } });
  expect(status).toBe(200);
}
