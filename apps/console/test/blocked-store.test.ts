import { createCustomer, createWholesaler } from '../../../services/accounts/test/support/accounts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startRunningConsole } from './support/running-console';

const fiado = forAllTests(startRunningConsole);

it('a blocked store shows initials, and its data to an approver who gives a reason', async () => {
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  const named = { firstName: 'Xóchitl' };
  const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId, named);
  const page = `/tiendas/${cornerStoreId}`;
  const luis = await fiado.person('approver');
  expect((await luis.get(page)).text).toContain('Xóchitl');
  await fiado.accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
    cornerStoreId,
  ]);

  const shown = (await luis.get(page)).text;
  expect(shown).toContain('Datos bloqueados');
  expect(shown).not.toContain('Xóchitl');
  const read = await luis.post(`${page}/bloqueada`, { reason: 'claim' });
  expect([read.status, read.text.includes('Xóchitl')]).toEqual([200, true]);

  const ana = await fiado.person('operator');
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
  const { wholesalerId } = await createWholesaler(fiado.accounts);
  const { cornerStoreId, userId } = await createCustomer(fiado.accounts, wholesalerId);
  const page = `/tiendas/${cornerStoreId}`;
  const luis = await fiado.person('approver');
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
