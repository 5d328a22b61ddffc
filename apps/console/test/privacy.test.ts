import { createCustomer, createWholesaler } from '../../../services/accounts/test/support/accounts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startRunningConsole } from './support/running-console';

const fiado = forAllTests(startRunningConsole);

it('a request is recorded, is red three days before its time is over, and is answered with corrections', async () => {
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  const { userId, cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
  const ana = await fiado.person('operator');
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

  const luis = await fiado.person('approver');
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
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  const { userId } = await createCustomer(fiado.accounts, wholesalerId);
  const ana = await fiado.person('operator');
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
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  const { userId } = await createCustomer(fiado.accounts, wholesalerId);
  const luis = await fiado.person('approver');
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
