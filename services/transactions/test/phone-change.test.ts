import type { CornerStoreSnapshot } from '@fiado/shared/contracts/corner-store';
import { ops, service, wholesaler } from '@fiado/shared/testing/callers';
import type { Answer } from '@fiado/shared/testing/service';
import { AN_ORDER, codeOf, orderOnHold, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

const NEW_PHONE = '+525587654321';
const REFUSED = '412 USER_IS_IN_INTERNAL_VALIDATION';
const outcomeOf = ({ status, body }: Answer) => `${status} ${body.errorCode ?? ''}`.trim();

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A store of two wholesalers, and the second of them as it sees the store. */
async function openSharedShop(): Promise<{ shop: Shop; neighbour: Shop; customers: Links }> {
  const [caller, other] = [wholesaler(), wholesaler()];
  const customers = [
    { wholesalerId: caller.id, externalId: 'tienda-1' },
    { wholesalerId: other.id, externalId: 'tienda-1' },
  ];
  const shop = await house.openShop({ caller, store: { customers, creditLimitCents: 9_000_000 } });
  const neighbour = await house.openShop({
    caller: other,
    store: { ...shopIds(shop), customers, creditLimitCents: 9_000_000 },
  });
  return { shop, neighbour, customers };
}

type Links = CornerStoreSnapshot['customers'];
const shopIds = ({ cornerStoreId, userId }: Shop) => ({ cornerStoreId, userId });

/** Publishes that the shop's wholesaler changed the phone, as accounts does. */
function changePhone(
  { shop, customers }: { shop: Shop; customers: Links },
  {
    version = 2,
    phoneHeldUntil = inHours(24),
  }: { version?: number; phoneHeldUntil?: string | null } = {},
): Promise<Shop> {
  return house.openShop({
    caller: shop.caller,
    version,
    store: {
      ...shopIds(shop),
      creditLimitCents: 9_000_000,
      phoneSealed: house.sealedPhone(shop.cornerStoreId, NEW_PHONE),
      customers: customers.map((link) => {
        const isOwn = link.wholesalerId === shop.caller.id;
        return {
          wholesalerId: link.wholesalerId,
          externalId: link.externalId,
          phoneChanges: isOwn ? version - 1 : 0,
          phoneHeldUntil: isOwn ? phoneHeldUntil : null,
        };
      }),
    },
  });
}

const verification = ({ transactionId, verificationId }: Record<string, string>) =>
  `/v1/transaction/${transactionId}/verification/${verificationId}`;
const batch = (shop: Shop, ...items: object[]) =>
  house.call(shop.caller, 'POST', '/v1/transaction/batch', {
    body: {
      driverId: 'driver-1',
      transactions: items.map((item) => ({
        cornerStoreId: shop.cornerStoreId,
        ...AN_ORDER,
        metadata: {},
        ...item,
      })),
    },
  });
const deliver = (shop: Shop, transactionId: string, deliveryWord: string) =>
  house.call(shop.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount: 1000, deliveryWord },
  });
const wordOf = async (transactionId: string): Promise<string> => {
  const { values } = await house.lastSms(transactionId);
  return 'word' in values ? values.word : '';
};

describe('a wholesaler that changed the phone', () => {
  it('invalidates earlier codes; a resend sends one to the new number', async () => {
    const shared = await openSharedShop();
    const { shop, neighbour } = shared;
    const own = (await house.order(shop)).body;
    const others = (await house.order(neighbour)).body;
    const [code, othersCode] = [
      await codeOf(house, own.transactionId),
      await codeOf(house, others.transactionId),
    ];
    await changePhone(shared);

    const confirm = (by: Shop, order: Record<string, string>, errorCode: string) =>
      house.call(by.caller, 'PUT', verification(order), { body: { errorCode } });
    expect(outcomeOf(await confirm(shop, own, code))).toBe('422 VERIFICATION_NOT_VALID');
    expect(outcomeOf(await confirm(neighbour, others, othersCode))).toBe('200');

    expect((await house.call(shop.caller, 'POST', verification(own))).status).toBe(200);
    const { phone } = await house.lastSms(own.transactionId);
    const renewed = await codeOf(house, own.transactionId);
    expect([phone, renewed === code]).toEqual([NEW_PHONE, false]);
    expect(outcomeOf(await confirm(shop, own, renewed))).toBe('200');
    expect(outcomeOf(await deliver(shop, own.transactionId, await wordOf(own.transactionId)))).toBe(
      '200',
    );
  });

  it('invalidates earlier codes of links; the page sends a new one', async () => {
    const shared = await openSharedShop();
    const { shop } = shared;
    const link = await house.call(shop.caller, 'POST', '/v1/link/external/tienda-1', {
      body: { transaction: AN_ORDER },
    });
    const { transactionId } = link.body;
    const page = (path: string, body: object) =>
      house.call(service('gateway'), 'POST', `/internal/links/${path}`, {
        body: { transactionId, ...body },
      });
    await page('open', { sendCode: 'if-never-sent' });
    const code = await codeOf(house, transactionId);
    await changePhone(shared);

    expect(outcomeOf(await page('confirm', { code }))).toBe('422 VERIFICATION_NOT_VALID');
    await page('open', { sendCode: 'again' });
    const renewed = await codeOf(house, transactionId);
    expect((await house.lastSms(transactionId)).phone).toBe(NEW_PHONE);
    expect(outcomeOf(await page('confirm', { code: renewed }))).toBe('200');
  });

  it('invalidates its earlier delivery words; resendDeliveryWord makes new ones, other wholesalers keep theirs', async () => {
    const shared = await openSharedShop();
    const { shop, neighbour } = shared;
    const [own, ofBatch, others] = [
      (await orderOnHold(house, shop)).transactionId,
      (await batch(shop, {})).body[0].transactionId as string,
      (await orderOnHold(house, neighbour)).transactionId,
    ];
    const othersWord = await wordOf(others);
    const before = [await wordOf(own), await wordOf(ofBatch)];
    await changePhone(shared);

    for (const [n, id] of [own, ofBatch].entries()) {
      expect(outcomeOf(await deliver(shop, id, before[n] as string))).toBe(
        '422 DELIVERY_WORD_NOT_VALID',
      );
      const path = `/v1/transaction/${id}/delivery-word`;
      expect((await house.call(shop.caller, 'POST', path)).status).toBe(200);
      const word = await wordOf(id);
      expect([word === before[n], (await house.lastSms(id)).phone]).toEqual([false, NEW_PHONE]);
      expect((await house.call(shop.caller, 'POST', path)).status).toBe(200);
      expect(await wordOf(id)).toBe(word);
      expect(outcomeOf(await deliver(shop, id, word))).toBe('200');
    }
    expect(outcomeOf(await deliver(neighbour, others, othersWord))).toBe('200');
  });

  it('keeps the counts of wrong words; ops’ reset makes a new word too', async () => {
    const shared = await openSharedShop();
    const { shop } = shared;
    const { transactionId } = await orderOnHold(house, shop);
    for (let wrong = 0; wrong < 3; wrong += 1) await deliver(shop, transactionId, 'nada');
    const before = await wordOf(transactionId);
    await changePhone(shared);

    await house.call(shop.caller, 'POST', `/v1/transaction/${transactionId}/delivery-word`);
    const [counts] = await house.rows(
      'SELECT wrong_checks_in_all FROM delivery_words WHERE transaction_id = $1',
      [transactionId],
    );
    expect(counts).toEqual({ wrong_checks_in_all: 3 });

    await changePhone(shared, { version: 3 });
    const reset = `/v1/admin/transactions/${transactionId}/reset-delivery-word`;
    expect((await house.call(ops(), 'POST', reset)).status).toBe(200);
    const word = await wordOf(transactionId);
    expect(word).not.toBe(before);
    expect(outcomeOf(await deliver(shop, transactionId, word))).toBe('200');
  });

  it('places no order above 5,000 pesos and no batch item; another wholesaler places both', async () => {
    const shared = await openSharedShop();
    const { shop, neighbour } = shared;
    await changePhone(shared);
    house.accounts.up = false;
    const check = (by: Shop, totalAmount: number) =>
      house.call(by.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: by.cornerStoreId, ...AN_ORDER, totalAmount },
      });
    const link = (by: Shop) =>
      house.call(by.caller, 'POST', '/v1/link/external/tienda-1', {
        body: { transaction: { ...AN_ORDER, totalAmount: 5000.01 } },
      });

    expect(outcomeOf(await house.order(shop, { totalAmount: 5000.01 }))).toBe(REFUSED);
    expect(outcomeOf(await link(shop))).toBe(REFUSED);
    expect(outcomeOf(await house.order(shop, { totalAmount: 5000 }))).toBe('201');
    expect((await batch(shop, {})).body[0].rejectionReasons).toEqual([
      'USER_IS_IN_INTERNAL_VALIDATION',
    ]);
    expect((await check(shop, 6000)).body).toMatchObject({
      accepted: false,
      rejectionReasons: ['USER_IS_IN_INTERNAL_VALIDATION'],
      maximumAmount: 5000,
    });

    expect(outcomeOf(await house.order(neighbour, { totalAmount: 5000.01 }))).toBe('201');
    expect(outcomeOf(await link(neighbour))).toBe('201');
    expect((await batch(neighbour, {})).body[0].status).toBe('accepted');
    house.accounts.up = true;
  });

  it('places them again after ops cleared the hold, and after 24 hours', async () => {
    const shared = await openSharedShop();
    const { shop, customers } = shared;
    await changePhone(shared, { phoneHeldUntil: inHours(-0.01) });
    expect(outcomeOf(await house.order(shop, { totalAmount: 6000 }))).toBe('201');

    await changePhone(shared, { version: 3 });
    house.tellAccounts({
      caller: shop.caller,
      version: 4,
      store: {
        ...shopIds(shop),
        creditLimitCents: 9_000_000,
        customers: customers.map(({ wholesalerId, externalId }) => ({
          wholesalerId,
          externalId,
          phoneChanges: 2,
          phoneHeldUntil: null,
        })),
      },
    });
    expect(outcomeOf(await house.order(shop, { totalAmount: 6000 }))).toBe('201');
  });

  it('is not released by an older message', async () => {
    const shared = await openSharedShop();
    await changePhone(shared, { version: 3 });
    await changePhone(shared, { version: 2, phoneHeldUntil: null });
    house.accounts.up = false;
    expect(outcomeOf(await house.order(shared.shop, { totalAmount: 6000 }))).toBe(REFUSED);
    house.accounts.up = true;
  });
});
