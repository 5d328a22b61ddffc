import { randomUUID } from 'node:crypto';
import { until } from '@fiado/chassis/testing/until';
import { keepNames } from '../../../services/accounts/src/names/keep-names';
import { createCustomer, type Customer } from '../../../services/accounts/test/support/accounts';
import { deposit } from '../../../services/payments/test/support/deposit';
import {
  deliverTransaction,
  delivery,
  receivableOf,
} from '../../../services/payments/test/support/receivable';
import {
  startConsoleWithCustomer,
  type Person,
  type RunningConsole,
} from './support/running-console';
import { walkFrom } from './support/walk';

let fiado: RunningConsole;
let ana: Person;
let luis: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ fiado, admin: ana, wholesalerId } = await startConsoleWithCustomer());
  luis = await fiado.person('approver');
  customer = await createCustomer(fiado.accounts, wholesalerId, {
    firstName: 'Guadalupe',
    lastNames: 'Xicoténcatl Ruiz',
  });
  while (await keepNames(fiado.accounts.context));
});
afterAll(() => fiado.stop());

/** A delivered order of a store, in payments only. @returns its debt */
async function owes(pesos: number): ReturnType<typeof receivableOf> {
  const { cornerStoreId, userId } = customer;
  const order = delivery({
    wholesalerId,
    cornerStoreId,
    userId,
    principalCents: pesos * 100,
    interestCents: 0,
    ivaCents: 0,
  });
  await deliverTransaction(fiado.payments, order);
  return receivableOf(fiado.payments, order);
}

it('half a name opens the store: 1', async () => {
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'xicoten' });
  expect([walk.clicks, walk.path]).toEqual([1, `/tiendas/${customer.cornerStoreId}`]);
  expect(walk.words).toContain('Guadalupe Xicoténcatl Ruiz');
});

it('several hits are a list that a reload shows again, and whose address has no word of the search', async () => {
  const twin = await createCustomer(fiado.accounts, wholesalerId, {
    firstName: 'Abundio',
    lastNames: 'Xicoténcatl',
  });
  while (await keepNames(fiado.accounts.context));
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'xicotencatl' });
  expect(walk.path).toMatch(/^\/buscar\/[\w-]+$/);
  expect(walk.words).toContain(`Abundio Xicoténcatl …${twin.phoneNumber.slice(-4)}`);
  expect(walk.words).toContain(twin.externalId);
  const again = await walkFrom(ana, walk.path);
  expect(again.words).toContain('Abundio Xicoténcatl');
  // Of another session it is the empty search.
  const other = await walkFrom(luis, walk.path);
  expect([other.path, other.words.includes('Abundio')]).toEqual(['/buscar', false]);
});

it('a wholesaler is found by a part of its name: 1', async () => {
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'abarrotes nort' });
  expect([walk.clicks, walk.path]).toEqual([1, `/mayoristas/${wholesalerId}`]);
});

it('the number of a refused order tells why it was refused, and leads to its store: 2', async () => {
  await fiado.transactions.rows(
    `INSERT INTO refusals (id, refused_at, wholesaler_id, corner_store_id, operation, error_code, request_id, ids)
     VALUES ($1, now(), $2, $3, 'createTransaction', 'MINIMAL_TRANSACTION_REQUIRED', 'r', $4)`,
    [randomUUID(), wholesalerId, customer.cornerStoreId, { wholesalerTransactionId: 'PED-0815' }],
  );
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'PED-0815' });
  expect(walk.words).toContain('El monto es menor que el pedido mínimo del mayorista.');
  await walk.follow('PED-0815');
  expect(walk.clicks).toBe(2);
  const refused = 'Solicitud rechazada: El monto es menor que el pedido mínimo';
  expect(walk.words).toContain(refused);
  // Among all that happened, too.
  expect((await walkFrom(ana, `/tiendas/${customer.cornerStoreId}`)).words).toContain(refused);
});

it('“I paid”: the deposit stands on the page of the store, and is assigned: 2', async () => {
  const debt = await owes(777);
  const slip = `${debt.numero_referencia.slice(0, -1)}${(Number(debt.numero_referencia.at(-1)) + 1) % 10}`;
  await deposit(fiado.payments, { numeroReferencia: slip, valor: 777 });
  const walk = await walkFrom(ana, `/tiendas/${customer.cornerStoreId}`);
  expect(walk.words).toContain('una referencia parecida, el mismo monto');
  await walk.follow('Asignar: $777.00');
  await walk.send('Asignar $777.00');
  expect(walk.clicks).toBe(2);
  await until('the debt is paid', async () => {
    const [row] = await fiado.payments.rows<{ paid: boolean }>(
      'SELECT paid_at IS NOT NULL AS paid FROM receivables WHERE id = $1',
      [debt.id],
    );
    return row?.paid === true;
  });
  expect((await walkFrom(ana, walk.path)).words).toContain('Asignado');
});

it('a wrong assignment is undone by who made it: 2', async () => {
  const debt = await owes(333);
  await deposit(fiado.payments, { numeroReferencia: 'otra tienda', valor: 333 });
  const walk = await walkFrom(ana, `/tiendas/${customer.cornerStoreId}`);
  await walk.follow('Asignar: $333.00');
  await walk.send('Asignar $333.00');
  walk.clicks = 0;
  walk.unfold('Deshacer la asignación');
  await walk.send('Deshacer la asignación');
  expect(walk.clicks).toBe(2);
  expect(walk.words).toContain('Sin asignar');
  expect(walk.words).toContain('Me equivoqué de tienda');
  const [row] = await fiado.payments.rows<{ paid: boolean }>(
    'SELECT paid_at IS NOT NULL AS paid FROM receivables WHERE id = $1',
    [debt.id],
  );
  expect(row?.paid).toBe(false);
});

it('unmatched deposits are listed by amount and reference, which the address keeps', async () => {
  await deposit(fiado.payments, { numeroReferencia: '4711 0815', valor: 1234.5 });
  const found = await walkFrom(ana, '/depositos?monto=$1,234.50&referencia=4711%200815');
  expect(found.words).toContain('Monto $1,234.50 × Referencia 4711 0815 ×');
  expect(found.words).toContain('referencia desconocida');
  expect((await walkFrom(ana, '/depositos?monto=1234.51')).words).toContain('Ningún depósito así.');
});

it('a stolen phone: the store is paused at once, and another person lifts it: 2 and 2', async () => {
  const page = `/tiendas/${customer.cornerStoreId}`;
  const walk = await walkFrom(ana, page);
  walk.unfold('Pausar esta tienda');
  await walk.send('Pausar esta tienda');
  expect(walk.clicks).toBe(2);
  expect(walk.words).toContain('En pausa por ti');
  expect(walk.words).toContain('teléfono robado o perdido');
  expect(walk.words).not.toContain('Validar');
  expect((await walkFrom(ana, '/tiendas?status=paused')).words).toContain('Guadalupe');
  expect((await walkFrom(ana, '/validacion')).words).not.toContain('Guadalupe');

  await walk.send('Levantar la pausa', { reason: 'Ya tiene otro número' });
  expect(walk.words).toContain('espera la aprobación de otra persona');
  const second = await walkFrom(luis, page);
  expect(second.words).toMatch(/Fin de la pausa[^]*Tienda: Guadalupe Xicoténcatl Ruiz/);
  second.unfold('Levantar la pausa');
  await second.send('Levantar la pausa', { reason: 'Vino a la oficina' });
  expect([second.clicks, second.words.includes('En pausa por')]).toEqual([2, false]);
  for (const change of ['Preaprobada → En pausa', 'En pausa → Preaprobada']) {
    expect(second.words).toContain(`Estado: ${change}`);
  }
  expect((await walkFrom(luis, '/auditoria?accion=corner-store.resumed')).words).toContain(
    'levantó la pausa de',
  );
});

it('who changed a limit, who approved it and why stand on the store and in the audit log: 0 and 1', async () => {
  const other = await createCustomer(fiado.accounts, wholesalerId);
  const page = `/tiendas/${other.cornerStoreId}`;
  const { text } = await ana.post(page, { creditLimit: '20000', reason: 'Paga a tiempo' });
  const [, request = ''] = /href="(\/aprobaciones\/[\w-]+)"/.exec(text) ?? [];
  expect((await luis.post(`${request}/aprobar`)).status).toBe(303);
  await until('the change is made', async () =>
    (await luis.get(request)).text.includes('Aprobada y aplicada'),
  );
  const walk = await walkFrom(luis, page);
  const said = [
    'lo pidió y Ana Torres lo aprobó',
    'Línea: $5,000.00 → $20,000.00',
    'Paga a tiempo',
  ];
  for (const words of said) expect(walk.words).toContain(words);
  await walk.follow('En la auditoría');
  expect(walk.path).toContain('status=changes');
  expect(walk.words).toContain('cambió las condiciones de');
  expect(walk.words).toContain('; lo aprobó Ana Torres');
  expect(walk.words).toContain('Paga a tiempo');
  // A viewer sees who, and no reason that somebody wrote.
  const viewer = await fiado.person('viewer');
  const seen = await walkFrom(viewer, page);
  expect(seen.words).toContain(said[0]);
  expect(seen.words).not.toContain('Paga a tiempo');
});

it('looks at lists that follow each other are one row of the audit log', async () => {
  const person = await fiado.person('operator');
  for (let looks = 0; looks < 3; looks += 1) await person.get('/tiendas');
  const log = `/auditoria?persona=${person.staffId}`;
  expect((await walkFrom(luis, log)).words).toContain('vio la lista de tiendas (3)');
  expect((await walkFrom(luis, `${log}&status=changes`)).words).not.toContain(
    'Ana Torres vio la lista',
  );
});

it('a higher limit is asked for and approved with what one needs to decide in sight: 2 and 2', async () => {
  const other = await createCustomer(fiado.accounts, wholesalerId, {
    firstName: 'Hermelinda',
    lastNames: 'Paz',
  });
  const ask = await walkFrom(ana, `/tiendas/${other.cornerStoreId}`);
  ask.unfold('Cambiar condiciones');
  expect(ask.words).toContain('Hoy $5,000.00. Por ejemplo 25,000.');
  await ask.send('Guardar', { creditLimit: '20,000', reason: 'Paga a tiempo' });
  expect(ask.clicks).toBe(2);

  const decide = await walkFrom(luis, '/aprobaciones');
  const line = 'Hermelinda Paz · Línea: $5,000.00 → $20,000.00';
  expect(decide.words).toContain(line);
  await decide.follow(line);
  for (const words of ['Cómo paga la tienda', 'Pagados a tiempo 0 de 0', 'Paga a tiempo']) {
    expect(decide.words).toContain(words);
  }
  await decide.send('Aprobar');
  expect(decide.clicks).toBe(2);
  expect(decide.words).toContain('Listo, se guardó tu decisión.');
});

it('a request has names in the place of ids, and the deposit that it is about', async () => {
  const store = await createCustomer(fiado.accounts, wholesalerId);
  const { cornerStoreId, userId } = store;
  await deliverTransaction(fiado.payments, delivery({ wholesalerId, cornerStoreId, userId }));
  await deposit(fiado.payments, { numeroReferencia: 'nadie', valor: 20_000 });
  const walk = await walkFrom(ana, '/depositos?monto=20000');
  await walk.follow('sin factura');
  const [, depositId] = walk.path.split('/').slice(1);
  // As payments asks for it.
  const [row] = await fiado.accounts.rows<{ id: string }>(
    `INSERT INTO change_requests (id, kind, target_id, target_version, payload, before, requested_by, expires_at)
     VALUES (gen_random_uuid(), 'deposit.assign', $1, 0, $2, '{"valorCents": 2000000}', $3,
             now() + interval '1 hour') RETURNING id`,
    [depositId, { cornerStoreId, userId }, ana.staffId],
  );
  const request = `/aprobaciones/${row?.id ?? ''}`;
  const page = await walkFrom(luis, request);
  expect(page.words).toContain('Ana María Ruiz Peña · Un depósito de más de $10,000');
  expect(page.words).toContain('El depósito Monto $20,000.00');
  expect(page.words).not.toContain(cornerStoreId);
});

it('a colleague is invited, and another one loses the access after a look at what is open: 3 and 2', async () => {
  const admin = await fiado.person('admin');
  const walk = await walkFrom(ana, '/');
  await walk.follow('Personal');
  walk.unfold('Invitar a una persona');
  const email = `eva-${randomUUID()}@lender.example`;
  await walk.send('Invitar', { email, name: 'Eva Sol', reason: 'Cubre a Luis' });
  expect(walk.clicks).toBe(3);
  expect(walk.words).toContain('espera la aprobación de otra persona');

  const asked = (await walkFrom(luis, '/aprobaciones')).words;
  expect(asked).toContain('Cubre a Luis');

  const store = await createCustomer(fiado.accounts, wholesalerId);
  await admin.post(`/tiendas/${store.cornerStoreId}`, { creditLimit: '20000', reason: 'x' });
  await fiado.accounts.rows(`UPDATE staff SET name = 'Rita Paz' WHERE id = $1`, [admin.staffId]);
  const end = await walkFrom(ana, '/personal');
  end.unfold('Quitar el acceso');
  expect(end.words).toContain(
    'Rita Paz no podrá entrar, y sus sesiones terminan. Espera aprobación lo que pidió: 1. Termina sin aplicarse.',
  );
  await end.send('Sí, quitar el acceso a Rita Paz');
  expect(end.clicks).toBe(2);
  expect((await admin.get('/')).location).toBe('/entrar');
});

it('the file of last week is asked for and downloaded: 3', async () => {
  const walk = await walkFrom(ana, '/');
  await walk.follow('Exportaciones');
  await walk.send('Exportar');
  await until('the file is ready', async () =>
    (await ana.get(walk.path)).text.includes('Descargar'),
  );
  const ready = await walkFrom(ana, walk.path);
  await ready.send('Descargar');
  expect(walk.clicks + ready.clicks).toBe(3);
  expect(ready.words).toContain('Tu descarga');
});
