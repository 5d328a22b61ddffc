import { EXAMPLE_TAX_DOCUMENT } from '@fiado/contracts/event-examples';
import { consoleOnStandIn } from './support/console-on-stand-in';
import { DISPUTE, ORDER, STATEMENT } from './support/stand-in-gateway';

const running = consoleOnStandIn();
const { page, post, changes } = running;

it('a dispute is decided in three clicks: home, its page, the decision', async () => {
  const home = await page('/');
  expect(home.text).toMatch(/Pedido que la tienda no reconoce[^]*href="\/disputas"/);
  const list = await page('/disputas');
  expect(list.text).toContain(`href="/disputas/${DISPUTE}"`);
  expect(running.gateway.calls.map((call) => call.path)).toContain(
    '/v1/admin/disputes?status=open&limit=25',
  );
  const sheet = await page(`/disputas/${DISPUTE}`);
  for (const words of [
    'Sin clave: no se pidió',
    'disputada 3 h después',
    'No hubo: solo lo dice el mayorista',
    'driver-7',
    '********0101',
    '20.67361, -103.344, a 1112 m de lo usual',
    'La recibió &lt;su hermano&gt;',
    '3 de 812 entregas',
    'Acreditar $1,058.00',
    'El pedido ya está en la liquidación 12: al mayorista no se le paga otra vez.',
  ]) {
    expect(sheet.text).toContain(words);
  }
  // What one decides by stands before the decision.
  expect(sheet.text).toMatch(/Qué dicen[^]*Pruebas[^]*Productos[^]*Mantener el cobro/);
  for (const [form, operation] of [
    ['mantener', 'keep'],
    ['acreditar', 'credit'],
  ]) {
    running.gateway.calls.length = 0;
    const reason = 'Lo vio el chofer';
    const { status, headers } = await post(`/disputas/${DISPUTE}/${form}`, { reason });
    expect([status, headers.get('location')]).toEqual([303, `/disputas/${DISPUTE}?aviso=decidido`]);
    expect(changes()).toEqual([
      expect.objectContaining({
        path: `/v1/admin/disputes/${DISPUTE}/${operation}`,
        body: JSON.stringify({ reason }),
      }),
    ]);
  }
});

it('the page of a delivered order has its proof, its disputes, and what is about its invoice with the files', async () => {
  const { text } = await page(`/pedidos/${ORDER}`);
  expect(text).toContain(`href="/disputas/${DISPUTE}"`);
  expect(text).toContain('sin palabra: solo lo dice el mayorista');
  expect(text).toMatch(new RegExp(`href="/liquidaciones/${STATEMENT}"\\s*>Número 12`));
  const { uuid } = EXAMPLE_TAX_DOCUMENT;
  const file = `/pedidos/${ORDER}/factura.xml?kind=payment&uuid=${uuid}`;
  expect(text).toMatch(/Complemento de pago[^]*Emitido/);
  expect(text.replaceAll('&amp;', '&')).toContain(`href="${file}"`);
  await page(file);
  expect(running.gateway.calls.at(-1)?.path).toBe(
    `/v1/admin/transactions/${ORDER}/invoice/file?format=xml&kind=payment&uuid=${uuid}`,
  );
  // One is open.
  expect(text).not.toContain('La tienda no reconoce este pedido');
});
