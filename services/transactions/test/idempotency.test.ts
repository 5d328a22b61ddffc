import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/shared/testing/in-flight';
import { startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('Idempotency-Key on POST /transaction', () => {
  it('gives 50 parallel posts one effect and one answer, byte for byte', async () => {
    const shop = await house.openShop();
    const headers = { 'idempotency-key': randomUUID() };

    const answers = await inFlight(
      Array.from({ length: 50 }, () => () => house.order(shop, {}, headers)),
    );

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
  });

  it('replays the first answer even when the line is used up by then', async () => {
    const shop = await house.openShop({ store: { creditLimitCents: 100_000 } });
    const headers = { 'idempotency-key': 'k1' };
    const first = await house.order(shop, {}, headers);

    const second = await house.order(shop, {}, headers);

    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses another body under a used key', async () => {
    const shop = await house.openShop();
    const headers = { 'idempotency-key': 'k2' };
    await house.order(shop, {}, headers);

    const other = await house.order(shop, { totalAmount: 2000 }, headers);

    expect([other.status, other.body.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
  });

  it('keeps the keys of two wholesalers apart', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const one = await house.order(await house.openShop(), {}, headers);
    const two = await house.order(await house.openShop(), {}, headers);

    expect(one.body.transactionId).not.toBe(two.body.transactionId);
    expect([one.status, two.status]).toEqual([201, 201]);
  });
});
