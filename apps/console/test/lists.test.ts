import { until } from '@fiado/chassis/testing/until';
import { dayAt, inFours } from '../src/frame/formats';
import { deposit } from '../../../services/payments/test/support/deposit';
import {
  deliverTransaction,
  delivery,
  receivableOf,
} from '../../../services/payments/test/support/receivable';
import type { Customer } from '../../../services/accounts/test/support/accounts';
import {
  startConsoleWithCustomer,
  type Person,
  type RunningConsole,
} from './support/running-console';
import { walkFrom } from './support/walk';

let fiado: RunningConsole;
let ana: Person;
let viewer: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ fiado, admin: ana, viewer, wholesalerId, customer } = await startConsoleWithCustomer());
  for (const [at, valor] of [300, 410.5, 200].entries()) {
    await deposit(fiado.payments, { numeroReferencia: `00${at}`, claveDePago: `K-${at}`, valor });
  }
});
afterAll(() => fiado.stop());

it('the close of a month opens this one before anything moved in the last', async () => {
  const now = new Date();
  const month = new Intl.DateTimeFormat('es-MX', {
    month: 'long',
    year: 'numeric',
    timeZone: 'America/Mexico_City',
  }).format(now);
  expect((await walkFrom(ana, '/reportes/mes')).words).toContain(`Cierre de ${month}`);
});

it('the figures of the day say what they have, and lead to their lists', async () => {
  const { text } = await ana.get('/');
  const plain = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(plain).toContain('Pedidos, sin interés ni IVA $0.00 0 pedidos');
  expect(plain).toContain('Entregas, sin interés ni IVA $0.00 0 entregas');
  for (const path of ['/cobranza?status=todos', '/cobranza']) {
    expect(text).toMatch(new RegExp(`href="${path.replace('?', '\\?')}">\\$`));
  }
});

it('a list says how many rows there are and their sum, is sorted by a heading, and leads to a file of exactly it', async () => {
  const walk = await walkFrom(ana, '/depositos');
  expect(walk.words).toContain('3 depósitos, $910.50 en total');
  await walk.follow('Monto');
  expect(walk.path).toBe('/depositos?orden=-valor');
  expect(walk.words).toMatch(/\$410\.50.*\$300\.00.*\$200\.00/);
  expect((await ana.get(walk.path)).text).toMatch(
    /aria-sort="descending"\s*>\s*<a href="\/depositos\?orden=valor"/,
  );

  const { text } = await ana.get('/depositos.csv?orden=-valor');
  const lines = text.split('\n');
  expect(lines[0]).toBe(
    'Proveedor,Tienda,Estado,Nota,Pagado el,Recibido el,Clave de pago,Factura,Referencia,Depositado,Id del depósito',
  );
  expect(
    lines.slice(1, 4).map((line) => /(K-\d),[^,]*,('00\d),([\d.]+)/.exec(line)?.slice(1)),
  ).toEqual([
    ['K-1', "'001", '410.50'],
    ['K-0', "'000", '300.00'],
    ['K-2', "'002", '200.00'],
  ]);
  expect(text).toMatch(/\nTotal,3 renglones,.*,910\.50,\n/);
  expect(text).toContain('Lista,"Depósitos, orden: -valor"');
  expect((await ana.get('/depositos.csv?monto=200')).text).not.toContain('K-1');

  // A viewer sees the list, and takes no file of it.
  expect((await viewer.get('/depositos')).text).not.toContain('Descargar');
  expect((await viewer.get('/depositos.csv')).status).toBe(403);
});

it.each(['/tiendas', '/pedidos?orden=createdAt', '/cobranza?status=todos', '/liquidaciones'])(
  'the file of %s has headings and its filters',
  async (list) => {
    const { status, text } = await ana.get(list.replace(/(?=\?|$)/, '.csv'));
    expect(status).toBe(200);
    expect(text).toMatch(/^(Mayorista|Tienda),/);
    expect(text).toContain('\nLista,');
  },
);

it('several deposits are assigned to one store at once, and who presses second sees each refusal', async () => {
  const { cornerStoreId, userId } = customer;
  const order = delivery({ wholesalerId, cornerStoreId, userId });
  await deliverTransaction(fiado.payments, order);
  const debt = await receivableOf(fiado.payments, order);
  const list = (await ana.get('/depositos')).text;
  const ids = [...list.matchAll(/name="deposito"\s+value="([\w-]+)"/g)].map(([, id = '']) => id);
  expect(ids).toHaveLength(3);
  expect(list).toContain('action="/depositos/varios"');

  const chosen = `/depositos/varios?deposito=${ids[0]}&deposito=${ids[1]}`;
  const walk = await walkFrom(ana, chosen);
  await walk.send('Buscar la tienda', { q: customer.externalId });
  expect(walk.words).toContain('2 depósitos, $610.50');
  const luis = await fiado.person('operator');
  const second = await walkFrom(luis, walk.path);

  await walk.send('Asignar $610.50');
  expect(walk.words.match(/Hecho/g)).toHaveLength(2);
  await until('both are applied', async () => {
    const [row] = await fiado.payments.rows<{ left: number }>(
      `SELECT principal_cents + interest_cents + iva_cents - paid_principal_cents
              - paid_interest_cents - paid_iva_cents AS left FROM receivables WHERE id = $1`,
      [debt.id],
    );
    return row?.left === 105_800 - 61_050;
  });
  await second.send('Asignar $610.50');
  expect(second.words.match(/El depósito ya se asignó o se revirtió/g)).toHaveLength(2);
  expect((await ana.get('/depositos/varios')).text).toContain('No elegiste ningún renglón');
});

it('the form for a request about data, from the page of a store, names her and says what she owes', async () => {
  const walk = await walkFrom(ana, `/tiendas/${customer.cornerStoreId}`);
  await walk.follow('Ver o registrar solicitudes');
  expect(walk.words).toContain('Registrar una solicitud de Ana María Ruiz Peña');
  expect(walk.words).toMatch(/Hoy debe \$447\.50 y tiene \$0\.00 a favor/);
  await walk.send('Registrar');
  expect(walk.path).toMatch(/^\/privacidad\/[\w-]+\?/);
});

it('what is typed is suggested, with what tells a store apart, to who is signed in', async () => {
  const answer = await ana.script('/buscar/sugerencias', { q: customer.externalId });
  expect(answer.body).toEqual({
    suggestions: [
      {
        href: `/tiendas/${customer.cornerStoreId}`,
        name: 'Ana María Ruiz Peña',
        note: expect.stringMatching(/…\d{4} · .*debe \$447\.50/),
      },
    ],
  });
});

it('a list of a day says how many there were on that day of the week before', async () => {
  await deposit(fiado.payments, { claveDePago: 'K-9', valor: 50 });
  await fiado.payments.rows(
    `UPDATE deposits SET received_at = received_at - interval '7 days' WHERE clave_de_pago = 'K-9'`,
  );
  const today = dayAt(new Date().toISOString());
  const { words } = await walkFrom(ana, `/depositos?status=todos&desde=${today}&hasta=${today}`);
  expect(words).toContain('3 depósitos, $910.50 en total');
  expect(words).toContain('El mismo día de la semana anterior: 1 depósito, $50.00 en total');
});

it('the page before an assignment shows what each debt gets, also of those that are due on one day', async () => {
  const { cornerStoreId, userId } = customer;
  const [before] = await fiado.payments.rows<{ cents: number }>(
    `SELECT sum(principal_cents + interest_cents + iva_cents - paid_principal_cents
                - paid_interest_cents - paid_iva_cents)::int AS cents
       FROM receivables WHERE user_id = $1`,
    [userId],
  );
  const debts: Awaited<ReturnType<typeof receivableOf>>[] = [];
  for (let n = 0; n < 2; n += 1) {
    const order = delivery({ wholesalerId, cornerStoreId, userId });
    await deliverTransaction(fiado.payments, order);
    debts.push(await receivableOf(fiado.payments, order));
  }
  // A peso more than the store owed before, for the first of the two.
  const valor = (before?.cents ?? 0) / 100 + 1;
  await deposit(fiado.payments, { numeroReferencia: 'otra', valor });
  const { text } = await ana.get(`/depositos?monto=${valor}`);
  const [, depositId] = /depositos\/([\w-]{36})/.exec(text) ?? [];
  const walk = await walkFrom(ana, `/depositos/${depositId}/asignar?tienda=${cornerStoreId}`);
  const paid = debts.map(({ id_factura: factura }) => {
    const row = new RegExp(`${inFours(factura)} .*? \\$[\\d.,]+ \\$([\\d.,]+)`);
    return row.exec(walk.words)?.[1];
  });
  expect(paid).toEqual(['1.00', '0.00']);

  await walk.send('Asignar $');
  const paidCents = () =>
    Promise.all(
      debts.map(async ({ id }) => {
        const [row] = await fiado.payments.rows<{ cents: number }>(
          `SELECT (paid_principal_cents + paid_interest_cents + paid_iva_cents)::int AS cents
             FROM receivables WHERE id = $1`,
          [id],
        );
        return row?.cents;
      }),
    );
  await until('it is applied', async () => (await paidCents()).some((cents) => cents !== 0));
  expect(await paidCents()).toEqual([100, 0]);
});
