import { asOwner } from '@fiado/chassis/testing/as-owner';
import { tourPages, type Tour } from './support/browser';
import { sharedSystem } from './support/shared-system';
import {
  codeIn,
  createAccountLink,
  createStore,
  createWholesaler,
  orderByLink,
} from './support/story';

const system = sharedSystem();

const WRONG = 'Esa clave no es la correcta';
const EXPIRED = 'Tu clave ya caducó';
const USED_UP = 'Esa clave ya no sirve';
const CODE = 'Clave de seis números';

async function typeWrong(page: Tour, right: string, button: string): Promise<void> {
  await page.type(CODE, right === '000000' ? '000001' : '000000');
  await page.press(button);
}

/** The page says one of the three, and not the others. */
async function expectOnly(page: Tour, expected: string): Promise<void> {
  const text = await page.text();
  const shown = [WRONG, EXPIRED, USED_UP].filter((words) => text.includes(words));
  expect(shown).toEqual([expected]);
}

tourPages('an order’s page tells wrong, expired and used-up codes apart', async (page) => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const { transactionId, link } = await orderByLink(system, wholesaler, store);
  const expireCode = () =>
    asOwner(system.databaseUrl, (owner) =>
      owner.query(
        'UPDATE transactions.verifications SET expires_at = now() WHERE transaction_id = $1',
        [transactionId],
      ),
    );
  const newestCode = async (seen: number) =>
    codeIn(await system.sms(store.phone, 'order-code', seen));

  await page.goto(link);
  await page.press('Enviar clave');
  const code = await newestCode(0);
  // A browser that does not check the field itself.
  await page.page
    .locator('form')
    .first()
    .evaluate((form) => form.setAttribute('novalidate', ''));
  await page.type(CODE, '1234');
  await page.press('Ver mi pedido');
  expect(await page.text()).toContain('Escribe los seis números');
  await page.look('order-codes-1-not-six-digits');
  for (let i = 0; i < 4; i += 1) {
    await typeWrong(page, code, 'Ver mi pedido');
    await expectOnly(page, WRONG);
  }
  await typeWrong(page, code, 'Ver mi pedido');
  await expectOnly(page, USED_UP);
  await page.look('order-codes-2-used-up');
  await page.goto(link);
  await expectOnly(page, USED_UP);
  await page.look('order-codes-3-used-up-later');

  await page.press('Enviar clave nueva');
  expect(await page.text()).toContain('te enviamos otro SMS');
  await page.look('order-codes-4-sent-again');
  const second = await newestCode(1);
  await expireCode();
  await page.type(CODE, second);
  await page.press('Ver mi pedido');
  await expectOnly(page, EXPIRED);
  await page.look('order-codes-5-expired');

  await page.press('Enviar clave nueva');
  const third = await newestCode(2);
  await page.type(CODE, third);
  await page.press('Ver mi pedido');
  await expireCode();
  await page.press('Acepto este pedido');
  expect(await page.text()).toContain('Pasó el tiempo para aceptar');
  await page.look('order-codes-6-too-late');

  await page.press('Enviar clave nueva');
  const fourth = await newestCode(3);
  for (let i = 0; i < 5; i += 1) await typeWrong(page, fourth, 'Ver mi pedido');
  await page.press('Enviar clave nueva');
  const fifth = await newestCode(4);
  await page.press('Enviar otra vez');
  expect(await page.text()).toContain('Ya te enviamos la clave demasiadas veces');
  await page.look('order-codes-7-too-many-sends');
  await page.type(CODE, fifth);
  await page.press('Ver mi pedido');
  expect(await page.text()).toContain('demasiadas claves equivocadas');
  await page.look('order-codes-8-too-many-wrong-codes');
  await expireCode();
  await page.goto(link);
  await page.press('Enviar clave nueva');
  expect(await page.text()).toContain('Pide otro enlace a tu proveedor');
  await page.look('order-codes-9-no-more-sends');
});

tourPages('the account page tells wrong, expired and used-up codes apart', async (page) => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const expire = (column: 'code_expires_at' | 'expires_at') =>
    asOwner(system.databaseUrl, (owner) =>
      owner.query(
        `UPDATE accounts.account_visits SET ${column} = now()
          WHERE phone_index = (SELECT phone_index FROM accounts.users WHERE id = $1)`,
        [store.userId],
      ),
    );
  const newestCode = async (seen: number) =>
    codeIn(await system.sms(store.phone, 'account-code', seen));

  const link = await createAccountLink(system, wholesaler, store);
  await page.goto(link);
  await page.type('Tu celular', store.phone);
  await page.press('Enviar clave');
  const code = await newestCode(0);
  await typeWrong(page, code, 'Ver mi cuenta');
  await expectOnly(page, WRONG);
  await page.look('account-codes-1-wrong');
  for (let i = 0; i < 4; i += 1) await typeWrong(page, code, 'Ver mi cuenta');
  await expectOnly(page, USED_UP);
  await page.look('account-codes-2-used-up');

  await page.press('Enviar clave nueva');
  const second = await newestCode(1);
  await expire('code_expires_at');
  await page.type(CODE, second);
  await page.press('Ver mi cuenta');
  await expectOnly(page, EXPIRED);
  await page.look('account-codes-3-expired');

  await page.press('Enviar clave nueva');
  await page.type(CODE, await newestCode(2));
  await page.press('Ver mi cuenta');
  expect(await page.text()).toContain('No debes nada');
  await page.look('account-codes-4-no-debt');

  await expire('expires_at');
  await page.goto(link);
  expect(await page.text()).toContain('Pasó el tiempo');
  await page.look('account-codes-5-visit-ended');
});
