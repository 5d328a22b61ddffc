import {
  codeIn,
  createAccountLink,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  orderByLink,
  pay,
} from './support/story';
import { tourPages, type Tour } from './support/browser';
import { sharedSystem } from './support/shared-system';
import { waitFor } from './support/api';

const system = sharedSystem();

tourPages(
  'the owner of a corner store reviews, accepts, receives and pays an order behind a link',
  async (page) => {
    const wholesaler = await createWholesaler(system, { name: 'Abarrotera "Ñandú" & Hijos' });
    const store = await createStore(system, wholesaler);
    const { transactionId, link } = await orderByLink(system, wholesaler, store, [
      { externalSKU: 'SKU-1', name: 'Refresco de cola 600 ml', quantity: 10 },
      { externalSKU: 'SKU-2', name: 'Jabón de tocador', quantity: 2.5 },
    ]);
    const codesTo = async (phone: string, template: string): Promise<number> => {
      const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
        body: { phoneNumber: phone },
      });
      return body.messages.filter((one: { template: string }) => one.template === template).length;
    };
    const apiOrder = async () =>
      (await system.call(wholesaler.key, 'GET', `/transaction/${transactionId}`)).body;
    // Previews of chats and robots look at a link before its owner does.
    for (const method of ['HEAD', 'GET']) await fetch(link, { method });

    await page.goto(link);
    expect(await page.title()).toBe('Confirma tu pedido · Fiado');
    expect(await page.text()).toContain(store.phone.slice(-4));
    expect(await page.text()).not.toMatch(/Abarrotera|1,234/);
    expect((await apiOrder()).transactionStatus).toBe('pending-verification');
    await page.look('order-1-unsent');

    await page.press('Enviar clave');
    expect(await page.text()).toContain('Enviamos un SMS');
    await page.look('order-2-waiting');
    const code = codeIn(await system.sms(store.phone, 'order-code'));
    expect(await codesTo(store.phone, 'order-code')).toBe(1);
    await page.type('Clave de seis números', code === '000000' ? '000001' : '000000');
    await page.press('Ver mi pedido');
    expect(await page.text()).toContain('Esa clave no es la correcta');
    await page.look('order-3-wrong-code');

    await page.press('Enviar otra vez');
    expect(await page.text()).toContain('te enviamos otro SMS');
    expect(codeIn(await system.sms(store.phone, 'order-code', 1))).toBe(code);
    await page.type('Clave de seis números', code);
    await page.press('Ver mi pedido');
    expect(await page.text()).toMatch(/Abarrotera "Ñandú" & Hijos/);
    await expectFigures(page, await apiOrder());
    await page.look('order-4-summary');
    expect((await apiOrder()).transactionStatus).toBe('pending-verification');

    await page.press('Acepto este pedido');
    expect(await page.text()).toContain('Pedido confirmado');
    await expectFigures(page, await apiOrder());
    expect((await apiOrder()).transactionStatus).toBe('on-hold');
    await page.look('order-5-receipt');

    await deliver(system, wholesaler, transactionId);
    const debt = await waitFor(async () => {
      const { status, body } = await system.call(
        wholesaler.key,
        'GET',
        `/transaction/${transactionId}/payment`,
      );
      return status === 200 ? body : undefined;
    });
    await page.goto(link);
    const shown = await page.text();
    expect(shown).toContain(money(debt.amountDue));
    expect(shown.replaceAll(' ', '')).toContain(debt.idFactura);
    expect(shown.replaceAll(' ', '')).toContain(debt.numeroReferencia);
    await expectFigures(page, await apiOrder());
    await page.look('order-6-debt');

    const accountLink = await createAccountLink(system, wholesaler, store);
    for (const method of ['HEAD', 'GET']) await fetch(accountLink, { method });
    await page.goto(accountLink);
    expect(await codesTo(store.phone, 'account-code')).toBe(0);
    await page.type('Tu celular', store.phone);
    await page.press('Enviar clave');
    await page.look('account-2-waiting');
    const accountCode = codeIn(await system.sms(store.phone, 'account-code'));
    await page.type('Clave de seis números', accountCode);
    await page.press('Ver mi cuenta');
    const accountText = (await page.text()).replaceAll(' ', '');
    expect(accountText).toContain(money(debt.amountDue));
    expect(accountText).toContain(debt.numeroReferencia);
    expect(accountText).toContain(debt.idFactura);
    await page.look('account-3-debts');
    // "NO" by page, in two presses.
    await page.page.getByRole('link', { name: 'No reconozco este pedido' }).click();
    await page.look('account-4-not-mine');
    await page.press('No reconozco este pedido');
    expect(await page.text()).toContain('Anotamos que no es tuyo el pedido');
    await page.look('account-5-noted');

    await pay(system, wholesaler, await createProvider(system), transactionId);
    await waitFor(async () => {
      await page.goto(link);
      return (await page.text()).includes('Este pedido ya está pagado') || undefined;
    });
    await page.look('order-7-paid');

    await page.goto(`${link}x`);
    await page.look('order-8-unknown');
    expect(page.complaints()).toEqual([
      expect.stringContaining('status of 422'),
      expect.stringContaining('status of 404'),
    ]);
  },
);

async function expectFigures(page: Tour, order: Record<string, number>): Promise<void> {
  const shown = await page.text();
  for (const name of ['totalAmount', 'interests', 'IVAAmount', 'totalAmountWithInterests']) {
    expect(shown).toContain(money(order[name] ?? Number.NaN));
  }
}

function money(pesos: number): string {
  return new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' }).format(pesos);
}
