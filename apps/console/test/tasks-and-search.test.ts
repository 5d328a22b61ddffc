import { randomUUID } from 'node:crypto';
import { until } from '@fiado/chassis/testing/until';
import { keepNames } from '../../../services/accounts/src/names/keep-names';
import { createCustomer, type Customer } from '../../../services/accounts/test/support/accounts';
import { deposit } from '../../../services/payments/test/support/deposit';
import { deliverTransaction, delivery } from '../../../services/payments/test/support/receivable';
import {
  startConsoleWithCustomer,
  type Person,
  type RunningConsole,
} from './support/running-console';
import { walkFrom } from './support/walk';

let fiado: RunningConsole;
let ana: Person;
let luis: Person;
let viewer: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ fiado, admin: ana, viewer, wholesalerId } = await startConsoleWithCustomer());
  luis = await fiado.person('approver');
  customer = await createCustomer(fiado.accounts, wholesalerId, {
    firstName: 'Guadalupe',
    lastNames: 'Xicoténcatl Ruiz',
  });
  while (await keepNames(fiado.accounts.context));
});
afterAll(() => fiado.stop());

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

it('a wholesaler is found by a part of its name', async () => {
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'abarrotes nort' });
  expect(walk.path).toBe(`/mayoristas/${wholesalerId}`);
});

it('the number of a refused order tells why it was refused, and leads to its store', async () => {
  await fiado.transactions.rows(
    `INSERT INTO refusals (id, refused_at, wholesaler_id, corner_store_id, operation, error_code, request_id, ids)
     VALUES ($1, now(), $2, $3, 'createTransaction', 'MINIMAL_TRANSACTION_REQUIRED', 'r', $4)`,
    [randomUUID(), wholesalerId, customer.cornerStoreId, { wholesalerTransactionId: 'PED-0815' }],
  );
  const walk = await walkFrom(ana, '/');
  await walk.send('Buscar', { q: 'PED-0815' });
  expect(walk.words).toContain('El monto es menor que el pedido mínimo del mayorista.');
  await walk.follow('PED-0815');
  const refused = 'Solicitud rechazada PED-0815: El monto es menor que el pedido mínimo';
  expect(walk.words).toContain(refused);
  const amounts = { askedAmount: 20, minimumAmount: 100 };
  await fiado.transactions.rows('UPDATE refusals SET ids = ids || $1::jsonb', [amounts]);
  // Among all that happened, too.
  expect((await walkFrom(ana, `/tiendas/${customer.cornerStoreId}`)).words).toContain(
    'Solicitud rechazada PED-0815: pidió $20.00 y el pedido mínimo del mayorista es $100.00.',
  );
});

it('stores of one name are told apart before a deposit is assigned to one of them', async () => {
  const [one, twin] = await Promise.all(
    [1, 2].map(() =>
      createCustomer(fiado.accounts, wholesalerId, {
        firstName: 'Refugio',
        lastNames: 'Tezozómoc',
      }),
    ),
  );
  while (await keepNames(fiado.accounts.context));
  await deliverTransaction(
    fiado.payments,
    delivery({ wholesalerId, cornerStoreId: twin!.cornerStoreId, userId: twin!.userId }),
  );
  await deposit(fiado.payments, { numeroReferencia: 'sin nombre', valor: 4321 });
  const walk = await walkFrom(ana, '/depositos?monto=4321');
  await walk.follow('sin factura');
  expect(walk.words).toContain('Su nombre o el de su dueño');
  await walk.send('Buscar la tienda', { q: 'tezozomoc' });
  const phoneOf = ({ phoneNumber }: Customer): string => `…${phoneNumber.slice(-4)}`;
  expect(walk.words).toContain(`${phoneOf(one!)} · ${one!.externalId} Preaprobada $0.00`);
  expect(walk.words).toMatch(
    new RegExp(`${phoneOf(twin!)} · ${twin!.externalId} Preaprobada \\$[1-9]`),
  );
  // The first one of the list, whichever it is.
  await walk.follow('Refugio Tezozómoc');
  expect(walk.words).toMatch(/Refugio Tezozómoc Preaprobada …\d{4} · .*La tienda debe \$/);
});

it('unmatched deposits are listed by amount and reference, which the address keeps', async () => {
  await deposit(fiado.payments, { numeroReferencia: '4711 0815', valor: 1234.5 });
  const found = await walkFrom(ana, '/depositos?monto=$1,234.50&referencia=4711%200815');
  expect(found.words).toContain('Monto $1,234.50 × Referencia 4711 0815 ×');
  expect(found.words).toContain('referencia desconocida');
  expect((await walkFrom(ana, '/depositos?monto=1234.51')).words).toContain('Ningún depósito así.');
});

it('a store whose phone was stolen is paused at once, and another person lifts it', async () => {
  const page = `/tiendas/${customer.cornerStoreId}`;
  const walk = await walkFrom(ana, page);
  await walk.send('Pausar esta tienda');
  expect(walk.words).toContain('En pausa por ti');
  expect(walk.words).toContain('teléfono robado o perdido');
  expect(walk.words).not.toContain('Validar');
  expect((await walkFrom(ana, '/tiendas?status=paused')).words).toContain('Guadalupe');
  expect((await walkFrom(ana, '/validacion')).words).not.toContain('Guadalupe');

  await walk.send('Levantar la pausa', { reason: 'Ya tiene otro número' });
  expect(walk.words).toContain('espera la aprobación de otra persona');
  const second = await walkFrom(luis, page);
  expect(second.words).toMatch(/Fin de la pausa[^]*Tienda: Guadalupe Xicoténcatl Ruiz/);
  await second.send('Levantar la pausa', { reason: 'Vino a la oficina' });
  expect(second.words).not.toContain('En pausa por');
  for (const change of ['Preaprobada → En pausa', 'En pausa → Preaprobada']) {
    expect(second.words).toContain(`Estado: ${change}`);
  }
  expect((await walkFrom(luis, '/auditoria?accion=corner-store.resumed')).words).toContain(
    'levantó la pausa de',
  );
});

it('a viewer reads who changed a limit and who approved it, and not why', async () => {
  const other = await createCustomer(fiado.accounts, wholesalerId);
  const page = `/tiendas/${other.cornerStoreId}`;
  const { text } = await ana.post(page, { creditLimit: '20000', reason: 'Paga a tiempo' });
  const [, request = ''] = /href="(\/aprobaciones\/[\w-]+)"/.exec(text) ?? [];
  expect((await luis.post(`${request}/aprobar`)).status).toBe(303);
  await until('the change is made', async () =>
    (await luis.get(request)).text.includes('Aprobada y aplicada'),
  );
  const seen = await walkFrom(viewer, page);
  expect(seen.words).toContain('lo pidió y Ana Torres lo aprobó');
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

describe('the search', () => {
  /** The page that a search leads to, and its text. */
  const search = async (person: Person, q: string): Promise<{ path: string; text: string }> => {
    let { location: path } = await person.post('/buscar', { q });
    for (;;) {
      const page = await person.get(path ?? '');
      if (page.location === null) return { path: path ?? '', text: page.text };
      path = page.location;
    }
  };

  it('is on every page and leads from an external id to its store', async () => {
    expect((await ana.get('/webhooks')).text).toContain('role="search"');
    const { path } = await search(ana, customer.externalId);
    expect(path).toBe(`/tiendas/${customer.cornerStoreId}`);
  });

  it('finds a phone for an operator and not for a viewer', async () => {
    const store = `/tiendas/${customer.cornerStoreId}`;
    expect((await search(ana, customer.phoneNumber)).path).toBe(store);
    expect((await search(viewer, customer.phoneNumber)).text).not.toContain(store);
  });

  it('finds a store by words of its owner’s names, for an operator and not for a viewer', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId, {
      firstName: 'Xóchitl',
      lastNames: 'Quetzal Núñez',
    });
    while (await keepNames(fiado.accounts.context));
    const { path, text } = await search(ana, 'nun xochi');
    expect(path).toBe(`/tiendas/${cornerStoreId}`);
    expect(text).toContain('Xóchitl Quetzal Núñez');
    expect((await search(viewer, 'nun xochi')).text).not.toContain(cornerStoreId);
    expect((await ana.get('/auditoria?accion=name.searched')).text).toContain('buscó un nombre');
  });

  it('finds colleagues for an admin and not for an approver', async () => {
    const found = `href="/personal?persona=${luis.staffId}"`;
    // All of them are called so.
    expect((await search(ana, 'ana TORRES')).text).toContain(found);
    expect((await search(luis, 'ana TORRES')).text).not.toContain(found);
  });

  it('shows what was typed as text', async () => {
    const { text } = await search(ana, '<script>alert(1)</script>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});

it('a viewer sees a masked phone, and all of it after giving a reason', async () => {
  const page = `/tiendas/${customer.cornerStoreId}`;
  expect((await ana.get(page)).text).not.toContain('/telefono');
  const { text } = await viewer.get(page);
  expect(text).toContain(`action="${page}/telefono"`);
  expect(text).not.toContain(customer.phoneNumber);
  const revealed = await viewer.post(`${page}/telefono`, { reason: 'delivery' });
  expect([revealed.status, revealed.text.includes(customer.phoneNumber)]).toEqual([200, true]);
  const { text: audit } = await ana.get('/auditoria?accion=phone.revealed');
  expect(audit).toContain('vio el teléfono de');
});

it('the audit log leads from a look at a document to its store, and from a decided dispute to its order, and has words for reasons', async () => {
  const [documentId, orderId] = [randomUUID(), randomUUID()];
  await fiado.accounts.rows(
    `INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
     VALUES (gen_random_uuid(), 'ops', 'x', 'document.viewed', $1, $2),
            (gen_random_uuid(), 'ops', 'x', 'phone.revealed', $3, '{"reason": "complaint"}'),
            (gen_random_uuid(), 'ops', 'x', 'dispute.kept', $4, '{}')`,
    [documentId, { cornerStoreId: customer.cornerStoreId }, customer.cornerStoreId, orderId],
  );
  const { text } = await ana.get('/auditoria?persona=x');
  const link = `<a href="/tiendas/${customer.cornerStoreId}">`;
  expect(text).toMatch(new RegExp(`vio un documento de\\s*${link}`));
  expect(text).toMatch(new RegExp(`vio el teléfono de\\s*${link}[^]*Una queja`));
  expect(text).toMatch(
    new RegExp(`pedido en disputa\\s*\\(<a href="/pedidos/${orderId}">ver pedido`),
  );
  expect(text).not.toContain(documentId);
  expect(text).not.toContain(`: ${customer.cornerStoreId}`);
});
