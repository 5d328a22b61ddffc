import { createCustomer, createWholesaler } from '../../../services/accounts/test/support/accounts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startRunningConsole, type Person } from './support/running-console';

const fiado = forAllTests(startRunningConsole);
let ana: Person;
let luis: Person;
let wholesalerId: string;

beforeAll(async () => {
  ana = await fiado.person('operator');
  luis = await fiado.person('approver');
  ({ wholesalerId } = await createWholesaler(fiado.accounts));
});

it('a request is recorded, is red three days before its time is over, and is answered with corrections', async () => {
  const { userId, cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
  const asked = { userId, kind: 'rectification', channel: 'letter', identityProof: 'official-id' };
  const recorded = await ana.post('/privacidad', asked);
  expect(recorded.status).toBe(303);
  const page = (recorded.location ?? '').split('?')[0] ?? '';
  expect((await ana.get(page)).text).not.toContain('/responder');
  expect((await ana.post('/privacidad', asked)).text).toContain('ya tiene una solicitud abierta');

  const list = async () => (await ana.get('/privacidad')).text;
  expect(await list()).not.toContain('badge bad');
  await fiado.accounts.rows(
    `UPDATE privacy_requests SET answer_due_at = now() + interval '71 hours' WHERE user_id = $1`,
    [userId],
  );
  expect(await list()).toMatch(/badge bad[^<]*>dentro de 2/);

  const refused = await luis.post(`${page}/responder`, { outcome: 'refused', reasonCode: '' });
  expect(refused.status).toBe(422);
  const answered = await luis.post(`${page}/responder`, {
    outcome: 'granted',
    reasonCode: '',
    firstName: 'Lucía',
  });
  expect(answered.status).toBe(303);
  expect((await luis.get(page)).text).toContain('Terminada');
  const store = (await luis.get(`/tiendas/${cornerStoreId}`)).text;
  expect(store).toContain('Lucía');
  const [, own = ''] = /href="(\/privacidad\?[^"]+)"/.exec(store) ?? [];
  expect((await luis.get(own.replace('&amp;', '&'))).text).toContain(page);
  const others = `/privacidad?status=todas&userId=${cornerStoreId}`;
  expect((await luis.get(others)).text).not.toContain(page);
});

it('a request that came days ago is recorded with its day, in the time zone of the lender', async () => {
  const { userId } = await createCustomer(fiado.accounts, wholesalerId);
  const asked = { userId, kind: 'access', channel: 'letter', identityProof: 'official-id' };
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const early = await ana.post('/privacidad', { ...asked, receivedAt: tomorrow });
  expect(early.status).toBe(400);
  expect(early.text).toMatch(/Este dato no es válido[^<]*<\/p>\s*<input[^>]*name="receivedAt"/);

  const recorded = await ana.post('/privacidad', { ...asked, receivedAt: '2026-02-26' });
  expect(recorded.status).toBe(303);
  const [request] = await fiado.accounts.rows(
    'SELECT received_at, answer_due_at FROM privacy_requests WHERE user_id = $1',
    [userId],
  );
  // 20 business days without the holiday of March 16.
  expect(request).toEqual({
    received_at: new Date('2026-02-26T00:00:00-06:00'),
    answer_due_at: new Date('2026-03-27T23:59:59.999-06:00'),
  });
});

it('the page says which limit of a day refuses a copy of the data or a correction of the phone', async () => {
  const { userId } = await createCustomer(fiado.accounts, wholesalerId);
  const pages: Record<string, string> = {};
  for (const kind of ['access', 'rectification', 'cancellation', 'opposition']) {
    const asked = { userId, kind, channel: 'letter', identityProof: 'official-id' };
    pages[kind] = (await luis.post('/privacidad', asked)).location?.split('?')[0] ?? '';
  }
  await fiado.accounts.rows(
    `INSERT INTO privacy_packages (request_id, user_id, size_bytes)
     SELECT id, user_id, 1 FROM privacy_requests WHERE user_id = $1 AND kind <> 'access'`,
    [userId],
  );

  const granted = { outcome: 'granted', reasonCode: '' };
  const copy = await luis.post(`${pages['access']}/responder`, granted);
  expect([copy.status, copy.text]).toEqual([
    429,
    expect.stringContaining('demasiadas copias de los datos de esta persona'),
  ]);
  const phoneNumber = '+525550009911';
  const phone = await luis.post(`${pages['rectification']}/responder`, { ...granted, phoneNumber });
  expect([phone.status, phone.text]).toEqual([
    202,
    expect.stringContaining('espera la aprobación de otra persona'),
  ]);
});

it('a blocked store shows initials, and its data to an approver who gives a reason', async () => {
  const named = { firstName: 'Xóchitl' };
  const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId, named);
  const page = `/tiendas/${cornerStoreId}`;
  expect((await luis.get(page)).text).toContain('Xóchitl');
  await fiado.accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
    cornerStoreId,
  ]);

  const shown = (await luis.get(page)).text;
  expect(shown).toContain('Datos bloqueados');
  expect(shown).not.toContain('Xóchitl');
  const read = await luis.post(`${page}/bloqueada`, { reason: 'claim' });
  expect([read.status, read.text.includes('Xóchitl')]).toEqual([200, true]);

  const hidden = (await ana.get(page)).text;
  expect(hidden).toContain('Datos bloqueados');
  expect(hidden).not.toContain('/bloqueada');
  const refused = await ana.post(`${page}/bloqueada`, { reason: 'claim' });
  expect([refused.status, refused.text.includes('Xóchitl')]).toEqual([403, false]);
});

/** Forms and links on the page of a store that the API refuses for a blocked one. */
const CHANGES = [
  '/aprobar"',
  'id="condiciones"',
  '#condiciones',
  '/liberar-telefono"',
  '/telefono"',
];

it('a blocked or erased store is shown as such, without the forms that the API would refuse', async () => {
  const { cornerStoreId, userId } = await createCustomer(fiado.accounts, wholesalerId);
  const page = `/tiendas/${cornerStoreId}`;
  const vera = await fiado.person('viewer');
  await fiado.accounts.rows(
    `INSERT INTO phone_changes (id, wholesaler_id, corner_store_id, held_until)
     VALUES (gen_random_uuid(), $1, $2, now() + interval '1 day')`,
    [wholesalerId, cornerStoreId],
  );
  const formsOf = async () => {
    const texts = [(await luis.get(page)).text, (await vera.get(page)).text];
    return CHANGES.filter((form) => texts.some((text) => text.includes(form)));
  };
  expect(await formsOf()).toEqual(CHANGES);

  await fiado.accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
    cornerStoreId,
  ]);
  expect(await formsOf()).toEqual([]);
  const blocked = (await luis.get(page)).text;
  expect(blocked).toContain('Bloqueada</span>');
  expect(blocked).toContain('Está bloqueada a petición de su dueño: todo pedido se rechaza.');
  expect(blocked).not.toContain('No hay respuesta');
  expect((await luis.get('/tiendas')).text).toContain('Bloqueada</span>');

  await fiado.accounts.rows(
    'UPDATE corner_stores SET erased_at = now(), name = NULL, information = NULL WHERE id = $1',
    [cornerStoreId],
  );
  await fiado.accounts.rows(
    'UPDATE users SET first_name = NULL, last_names = NULL, phone = NULL WHERE id = $1',
    [userId],
  );
  expect(await formsOf()).toEqual([]);
  const erased = (await luis.get(page)).text;
  expect(erased).toContain('Suprimida</span>');
  expect(erased).toContain('Se borraron a petición de su dueño');
  expect(erased).not.toContain('/bloqueada"');
  expect((await luis.get('/tiendas')).text).toContain(`<a href="${page}">—</a>`);
});
