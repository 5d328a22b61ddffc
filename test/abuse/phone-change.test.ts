import { sharedSystem } from '../e2e/support/shared-system';
import { waitFor } from '../e2e/support/api';
import {
  codeIn,
  confirm,
  createStore,
  createWholesaler,
  importStore,
  order,
  randomPhone,
} from '../e2e/support/story';
import { outcomeOf } from './attacker/flood';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

const HELD = '412 USER_IS_IN_INTERNAL_VALIDATION';
const PRODUCTS = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];

it('a store is not taken over by a wholesaler that changes its phone', async () => {
  const [attacker, victim] = [await createWholesaler(system), await createWholesaler(system)];
  const store = await createStore(system, victim);
  await importStore(system, attacker, { externalId: store.externalId, phone: store.phone });
  const { cornerStoreId, phone, userId } = store;
  const change = (phoneNumber: string) =>
    system.call(attacker.key, 'PUT', `/account/${userId}`, { body: { phoneNumber } });
  const buy = (key: string, totalAmount: number) =>
    system.call(key, 'POST', '/transaction', {
      body: { cornerStoreId, totalAmount, products: PRODUCTS },
    });

  // Both have an order that waits for its code, sent to the owner's phone.
  const waiting = await order(system, victim, store);
  const code = codeIn(await system.sms(phone, 'order-code'));
  const own = await order(system, attacker, store);
  const ownCode = codeIn(await system.sms(phone, 'order-code', 1));

  await besideNeighbour(system, 'a changed phone', async () => {
    const thiefsPhone = randomPhone();
    expect(outcomeOf(await change(thiefsPhone))).toBe('200');
    // Asked without effect: the change travels to transactions by event.
    await waitFor(async () => {
      const body = { cornerStoreId, totalAmount: 5001, products: PRODUCTS };
      const check = await system.call(attacker.key, 'POST', '/transaction/check', { body });
      return check.body.accepted === false ? true : undefined;
    });
    expect(outcomeOf(await buy(attacker.key, 5001))).toBe(HELD);

    const batch = await system.call(attacker.key, 'POST', '/transaction/batch', {
      body: {
        driverId: 'driver-1',
        transactions: [{ cornerStoreId, totalAmount: 100, products: PRODUCTS, metadata: {} }],
      },
    });
    expect(batch.body[0].rejectionReasons).toEqual(['USER_IS_IN_INTERNAL_VALIDATION']);
    const link = await system.call(attacker.key, 'POST', `/link/external/${store.externalId}`, {
      body: { transaction: { totalAmount: 5001, products: PRODUCTS } },
    });
    expect(outcomeOf(link)).toBe(HELD);
    const path = `/transaction/${own.transactionId}/verification/${own.verificationId}`;
    const old = await system.call(attacker.key, 'PUT', path, { body: { errorCode: ownCode } });
    expect(outcomeOf(old)).toBe('422 VERIFICATION_NOT_VALID');

    // No weapon: the victim's code of before is good, and so is a large order of its own.
    await confirm(system, victim, waiting, code);
    expect(outcomeOf(await buy(victim.key, 5001))).toBe('201');

    for (const expected of ['200', '200', '429 TOO_MANY_ATTEMPTS']) {
      expect(outcomeOf(await change(randomPhone()))).toBe(expected);
    }
    expect(
      outcomeOf(
        await system.call(victim.key, 'PUT', `/account/${userId}`, {
          body: { phoneNumber: phone },
        }),
      ),
    ).toBe('200');
  });

  expect(await system.sms(phone, 'phone-changed')).toContain('Si no lo pediste');
});

it('ops sees the hold at once and clears it', async () => {
  const [wholesaler, other] = [await createWholesaler(system), await createWholesaler(system)];
  const store = await createStore(system, wholesaler);
  await importStore(system, other, { externalId: store.externalId, phone: store.phone });
  await system.call(wholesaler.key, 'PUT', `/account/${store.userId}`, {
    body: { phoneNumber: randomPhone() },
  });

  const list = `/admin/corner-stores?phoneHeld=true&wholesalerId=${wholesaler.wholesalerId}`;
  const { body } = await system.call(system.opsKey, 'GET', list);
  expect(body.cornerStores.map((held: { cornerStoreId: string }) => held.cornerStoreId)).toEqual([
    store.cornerStoreId,
  ]);
  const clear = `/admin/corner-stores/${store.cornerStoreId}/clear-phone-hold`;
  expect((await system.call(system.opsKey, 'POST', clear)).status).toBe(200);
  const large = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: { cornerStoreId: store.cornerStoreId, totalAmount: 6000, products: PRODUCTS },
  });
  expect(outcomeOf(large)).toBe('201');
});
