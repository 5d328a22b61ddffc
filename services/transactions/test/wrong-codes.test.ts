import { inFlight } from '@fiado/shared/testing/in-flight';
import { service } from '@fiado/shared/testing/callers';
import type { Answer } from '@fiado/shared/testing/service';
import { AN_ORDER, codeOf, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

interface Order {
  transactionId: string;
  verificationId: string;
}

const CHECKED = '422 VERIFICATION_NOT_VALID';
const REFUSED = '429 TOO_MANY_ATTEMPTS';

const outcomeOf = ({ status, body }: Answer) => `${status} ${body.errorCode ?? ''}`.trim();

/** How often each outcome came. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1;
  }
  return counts;
}

const newOrder = async (shop: Shop): Promise<Order> => (await house.order(shop)).body;
const verification = ({ transactionId, verificationId }: Order) =>
  `/v1/transaction/${transactionId}/verification/${verificationId}`;
const confirm = (shop: Shop, order: Order, code: string) =>
  house.call(shop.caller, 'PUT', verification(order), { body: { errorCode: code } });
const times = <Value>(count: number, work: (n: number) => Promise<Value>): Promise<Value[]> =>
  inFlight(Array.from({ length: count }, (_, n) => () => work(n)));

/** Five wrong codes for each of so many orders, all at the same time. */
async function guess(shop: Shop, orders: number): Promise<Answer[]> {
  const cycled = await times(orders, () => newOrder(shop));
  const answers = await times(orders * 5, (n) =>
    confirm(shop, cycled[n % orders] as Order, 'wrong!'),
  );
  for (const { transactionId } of cycled) {
    await house.call(shop.caller, 'POST', `/v1/transaction/${transactionId}/cancel`);
  }
  return answers;
}

describe('wrong codes through the API', () => {
  it('are twenty in a day for a wholesaler and a store, over all orders and resends', async () => {
    const shop = await house.openShop();

    expect(tally(await guess(shop, 6))).toEqual({ [CHECKED]: 20, [REFUSED]: 10 });

    const next = await newOrder(shop);
    const code = await codeOf(house, next.transactionId);
    expect(outcomeOf(await confirm(shop, next, code))).toBe(REFUSED);
    expect((await house.call(shop.caller, 'POST', verification(next))).status).toBe(200);
    expect(outcomeOf(await confirm(shop, next, code))).toBe(REFUSED);

    await house.rows(
      `UPDATE customers SET wrong_codes_since = wrong_codes_since - interval '24 hours'
        WHERE corner_store_id = $1`,
      [shop.cornerStoreId],
    );
    expect(outcomeOf(await confirm(shop, next, code))).toBe('200');
  });

  it('of one wholesaler refuse neither another wholesaler of the store nor its other stores', async () => {
    const shop = await house.openShop();
    const neighbour = await house.openShop();
    const sameStore: Shop = { ...shop, caller: neighbour.caller };
    await house.rows(
      `INSERT INTO customers (wholesaler_id, corner_store_id, external_id) VALUES ($1, $2, 'x')`,
      [neighbour.caller.id, shop.cornerStoreId],
    );
    const sameWholesaler = await house.openShop({
      caller: shop.caller,
      store: { customers: [{ wholesalerId: shop.caller.id, externalId: 'tienda-2' }] },
    });
    await guess(shop, 5);

    for (const well of [sameStore, sameWholesaler]) {
      const order = await newOrder(well);
      const code = await codeOf(house, order.transactionId);
      expect(outcomeOf(await confirm(well, order, code))).toBe('200');
    }
  });

  it('are not right ones, of which thirty at the same time pass', async () => {
    const shop = await house.openShop({ store: { creditLimitCents: 10_000_000 } });
    const orders = await times(30, () => newOrder(shop));
    const codes = await Promise.all(orders.map((order) => codeOf(house, order.transactionId)));

    const answers = await times(30, (n) => confirm(shop, orders[n] as Order, codes[n] as string));

    expect(tally(answers)).toEqual({ '200': 30 });
  });
});

describe('wrong codes on the page of a link', () => {
  const newLink = async (shop: Shop): Promise<string> => {
    const path = '/v1/link/external/tienda-1';
    const { body } = await house.call(shop.caller, 'POST', path, {
      body: { transaction: AN_ORDER },
    });
    await send(body.transactionId);
    return body.transactionId;
  };
  const send = (transactionId: string, sendCode = 'again') =>
    house.call(service('gateway'), 'POST', '/internal/links/open', {
      body: { transactionId, sendCode },
    });
  const type = (transactionId: string, code: string) =>
    house.call(service('gateway'), 'POST', '/internal/links/confirm', {
      body: { transactionId, code },
    });
  const renew = async (transactionId: string) => {
    await house.rows('UPDATE verifications SET expires_at = now() WHERE transaction_id = $1', [
      transactionId,
    ]);
    await send(transactionId);
  };

  it('are five for each code and ten in all', async () => {
    const shop = await house.openShop();
    const link = await newLink(shop);

    expect(tally(await times(8, () => type(link, 'wrong!')))).toEqual({ [CHECKED]: 8 });
    expect(await wrongCodesOf(link)).toBe(5);
    await renew(link);
    expect(tally(await times(4, () => type(link, 'wrong!')))).toEqual({ [CHECKED]: 4 });
    await renew(link);
    expect(tally(await times(4, () => type(link, 'wrong!')))).toEqual({
      [CHECKED]: 1,
      [REFUSED]: 3,
    });

    expect(outcomeOf(await type(link, await codeOf(house, link)))).toBe(REFUSED);
    const another = await newLink(shop);
    expect(outcomeOf(await type(another, await codeOf(house, another)))).toBe('200');
  });

  it('are forty in a day over all links of a wholesaler to a store, apart from the API', async () => {
    const shop = await house.openShop();
    for (let links = 0; links < 8; links += 1) {
      const link = await newLink(shop);
      await times(5, () => type(link, 'wrong!'));
    }

    const last = await newLink(shop);
    expect(outcomeOf(await type(last, await codeOf(house, last)))).toBe(REFUSED);
    const order = await newOrder(shop);
    const code = await codeOf(house, order.transactionId);
    expect(outcomeOf(await confirm(shop, order, code))).toBe('200');
  });

  it('are not counted with those of the API', async () => {
    const shop = await house.openShop();
    await guess(shop, 5);
    const link = await newLink(shop);
    expect(outcomeOf(await type(link, await codeOf(house, link)))).toBe('200');
  });

  async function wrongCodesOf(transactionId: string): Promise<number | undefined> {
    const [row] = await house.rows<{ page_wrong_codes: number }>(
      'SELECT page_wrong_codes FROM verifications WHERE transaction_id = $1',
      [transactionId],
    );
    return row?.page_wrong_codes;
  }
});
