import { createCustomer, createWholesaler } from '../../../services/accounts/test/support/accounts';
import { startRunningConsole, type RunningConsole } from './support/running-console';

let fiado: RunningConsole;
beforeAll(async () => {
  fiado = await startRunningConsole();
});
afterAll(() => fiado.stop());

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
