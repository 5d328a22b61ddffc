import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  createCustomer,
  createWholesaler,
  newPhone,
  type Customer,
} from '../../../services/accounts/test/support/accounts';
import { startRunningConsole, type Person, type RunningConsole } from './support/running-console';

let fiado: RunningConsole;
let admin: Person;
let viewer: Person;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  fiado = await startRunningConsole();
  admin = await fiado.person('admin');
  viewer = await fiado.person('viewer');
  ({ wholesalerId } = await createWholesaler(fiado.accounts));
  customer = await createCustomer(fiado.accounts, wholesalerId);
});
afterAll(() => fiado.stop());

const NO_ID = '5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';

it.each([
  ['/aprobaciones', 'Nada espera aprobación.'],
  ['/aprobaciones?status=failed', 'No hay solicitudes así.'],
  ['/validacion', 'No hay tiendas por validar.'],
  ['/depositos', 'No hay depósitos así.'],
  ['/pedidos?status=paid', 'No hay pedidos así.'],
  ['/cobranza', 'No hay adeudos así.'],
  ['/mensajes', 'No hay nada aquí.'],
  ['/mensajes?desde=2026-01-01', 'Se reenviarían 0 de 0.'],
  ['/trabajos?cola=payments', 'Ningún trabajo ha fallado.'],
  ['/webhooks', 'Nadie recibe webhooks.'],
  ['/buscar', 'Se busca el dato completo'],
])('an empty list says so: %s', async (path, words) => {
  const { status, text } = await admin.get(path);
  expect([status, text.includes(words)]).toEqual([200, true]);
});

it.each([
  `/tiendas/${NO_ID}`,
  `/pedidos/${NO_ID}`,
  `/depositos/${NO_ID}`,
  `/mayoristas/${NO_ID}`,
  `/aprobaciones/${NO_ID}`,
  '/aprobaciones/x%2Fy',
])('what does not exist is a sentence and not a code: %s', async (path) => {
  const { status, text } = await admin.get(path);
  expect(status).toBe(404);
  expect(text).toMatch(/no existe/i);
  expect(text).not.toMatch(/[A-Z]+_NOT_FOUND/);
});

it('the home page shows what waits and the figures of today, with a table for each chart', async () => {
  const { status, text } = await viewer.get('/');
  expect(status).toBe(200);
  expect(text).toContain('Pendientes');
  const charts = text.match(/<svg role="img"[^]*?<title>/g) ?? [];
  expect(charts).toHaveLength(3);
  expect(text.match(/Ver como tabla/g)).toHaveLength(3);
});

describe('a store', () => {
  it('shows its line, its parts and what happened to it', async () => {
    const { text } = await admin.get(`/tiendas/${customer.cornerStoreId}`);
    for (const words of [
      'Ana María Ruiz Peña',
      customer.phoneNumber,
      'Abarrotes del Norte',
      'No tiene pedidos.',
      'No tiene adeudos.',
      'No tiene documentos.',
      'No se le ha pagado saldo a favor.',
      'alta con un mayorista',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('shows looks of staff that follow each other as one line, and earlier events on the next page', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
    await fiado.accounts.rows(
      `INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
       SELECT gen_random_uuid(), 'ops', 'x', 'corner-store.viewed', $1, '{}'
         FROM generate_series(1, 100)`,
      [cornerStoreId],
    );
    const first = (await admin.get(`/tiendas/${cornerStoreId}`)).text;
    expect(first).toMatch(/consulta del personal \(\d+\)/);
    expect(first).not.toContain('alta con un mayorista');
    const next = /href="([^"]+)#historial"/.exec(first)?.[1] ?? '';
    expect((await admin.get(next)).text).toContain('alta con un mayorista');
  });

  it('shows a viewer no full phone, no name and no form but the search and the sign-out', async () => {
    for (const path of [
      `/tiendas/${customer.cornerStoreId}`,
      '/tiendas',
      `/mayoristas/${wholesalerId}`,
    ]) {
      const { status, text } = await viewer.get(path);
      expect(status).toBe(200);
      expect(text).not.toContain(customer.phoneNumber.slice(3));
      expect(text).not.toContain('Peña');
      expect(text.match(/<form/g)).toHaveLength(2);
    }
  });
});

it('the audit log names people, with their ids behind the names', async () => {
  await admin.get(`/tiendas/${customer.cornerStoreId}`);
  const { status, text } = await viewer.get('/auditoria');
  expect(status).toBe(200);
  expect(text).toContain(`<span title="${admin.staffId}">Ana Torres</span>`);
});

describe('the search', () => {
  it('is on every page and leads from an external id to its store', async () => {
    expect((await admin.get('/webhooks')).text).toContain('role="search"');
    const { text } = await admin.post('/buscar', { q: customer.externalId });
    expect(text).toContain(`href="/tiendas/${customer.cornerStoreId}"`);
  });

  it('finds a phone for an operator and not for a viewer', async () => {
    const form = { q: customer.phoneNumber };
    expect((await admin.post('/buscar', form)).text).toContain(
      `/tiendas/${customer.cornerStoreId}`,
    );
    expect((await viewer.post('/buscar', form)).text).not.toContain(
      `/tiendas/${customer.cornerStoreId}`,
    );
  });

  it('shows what was typed as text', async () => {
    const { text } = await admin.post('/buscar', { q: '<script>alert(1)</script>' });
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});

it('a wholesaler’s key is revoked on its page', async () => {
  const page = `/mayoristas/${wholesalerId}`;
  const action = /action="([^"]+\/revocar)"/.exec((await admin.get(page)).text)?.[1] ?? '';
  const { status, location } = await admin.post(action);
  expect([status, location]).toEqual([303, page]);
  expect((await admin.get(page)).text).not.toContain('/revocar');
});

it('a key of a wholesaler expires at the end of the chosen day', async () => {
  const form = { scopes: '', expiresAt: '2030-06-30' };
  const asked = await admin.post(`/mayoristas/${wholesalerId}/llaves`, form);
  const request = /href="(\/aprobaciones\/[\w-]+)"/.exec(asked.text)?.[1] ?? '';
  expect((await admin.get(request)).text).toContain('30 jun 2030, 11:59');
});

it('an expired order is not called “vencido”, which people read as overdue', async () => {
  const { text } = await viewer.get('/pedidos');
  expect(text).toContain('expirado');
  expect(text).not.toContain('vencido');
});

it('a changed phone that holds orders is counted, listed, and freed by an operator', async () => {
  const holding = await createWholesaler(fiado.accounts, { phoneChangeHold: 'always' });
  const held = await createCustomer(fiado.accounts, holding.wholesalerId);
  const page = `/tiendas/${held.cornerStoreId}`;
  const list = '/tiendas?telefono=retenido';
  await fiado.accounts.call(wholesaler(holding.wholesalerId), 'PUT', `/v1/account/${held.userId}`, {
    body: { phoneNumber: newPhone() },
  });

  expect((await viewer.get('/')).text).toMatch(
    /<strong>1<\/strong>\s*<a href="\/tiendas\?telefono=retenido">/,
  );
  const listed = (await viewer.get(list)).text;
  expect(listed).toContain(page);
  expect(listed).not.toContain(customer.cornerStoreId);
  const seen = (await viewer.get(page)).text;
  expect(seen).toContain('sus pedidos grandes esperan hasta');
  expect(seen).not.toContain('/liberar-telefono');
  expect((await admin.get(page)).text).toContain(`action="${page}/liberar-telefono"`);

  const { status, location } = await admin.post(`${page}/liberar-telefono`);
  expect([status, location]).toEqual([303, page]);
  expect((await viewer.get(list)).text).not.toContain(page);
  expect((await viewer.get(page)).text).not.toContain('esperan hasta');
});

it('is in English for who prefers it', async () => {
  const { text } = await admin.get('/aprobaciones?status=failed', { 'accept-language': 'en' });
  expect(text).toContain('There are no such requests.');
});
