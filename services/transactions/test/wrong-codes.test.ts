import { inFlight } from '@fiado/chassis/testing/in-flight';
import { service } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  AN_ORDER,
  codeOf,
  confirm,
  outcomeOf,
  type Order,
  verificationPath,
} from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const CHECKED = '422 VERIFICATION_NOT_VALID';
const REFUSED = '429 TOO_MANY_ATTEMPTS';

/** The code of one order in a million. */
const WRONG = '000000';

/** How often each outcome came. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1;
  }
  return counts;
}

const newOrder = async (store: CornerStore): Promise<Order> =>
  (await transactions.order(store)).body;
const times = <Value>(count: number, work: (n: number) => Promise<Value>): Promise<Value[]> =>
  inFlight(Array.from({ length: count }, (_, n) => () => work(n)));

/** Five wrong codes for each of so many orders, all at the same time. */
async function guess(store: CornerStore, orders: number): Promise<Answer[]> {
  const cycled = await times(orders, () => newOrder(store));
  const answers = await times(orders * 5, (n) =>
    confirm(transactions, store, cycled[n % orders] as Order, WRONG),
  );
  for (const { transactionId } of cycled) {
    await transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/cancel`);
  }
  return answers;
}

describe('wrong codes through the API', () => {
  it('are twenty in a day for a wholesaler and a store, over all orders and resends', async () => {
    const store = await transactions.createCornerStore();

    expect(tally(await guess(store, 6))).toEqual({ [CHECKED]: 20, [REFUSED]: 10 });

    const next = await newOrder(store);
    const code = await codeOf(transactions, next.transactionId);
    expect(outcomeOf(await confirm(transactions, store, next, code))).toBe(REFUSED);
    expect((await transactions.call(store.caller, 'POST', verificationPath(next))).status).toBe(
      200,
    );
    expect(outcomeOf(await confirm(transactions, store, next, code))).toBe(REFUSED);

    await transactions.rows(
      `UPDATE customers SET wrong_codes_since = wrong_codes_since - interval '24 hours'
        WHERE corner_store_id = $1`,
      [store.cornerStoreId],
    );
    expect(outcomeOf(await confirm(transactions, store, next, code))).toBe('200');
  });

  it('of one wholesaler refuse neither another wholesaler of the store nor its other stores', async () => {
    const store = await transactions.createCornerStore();
    const neighbour = await transactions.createCornerStore();
    const sameStore: CornerStore = { ...store, caller: neighbour.caller };
    await transactions.rows(
      `INSERT INTO customers (wholesaler_id, corner_store_id, external_id) VALUES ($1, $2, 'x')`,
      [neighbour.caller.id, store.cornerStoreId],
    );
    const sameWholesaler = await transactions.createCornerStore({
      caller: store.caller,
      store: { customers: [{ wholesalerId: store.caller.id, externalId: 'tienda-2' }] },
    });
    await guess(store, 5);

    for (const well of [sameStore, sameWholesaler]) {
      const order = await newOrder(well);
      const code = await codeOf(transactions, order.transactionId);
      expect(outcomeOf(await confirm(transactions, well, order, code))).toBe('200');
    }
  });

  it('are not right ones, of which twenty-two at the same time pass', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
    const orders = await times(22, () => newOrder(store));
    const codes = await Promise.all(
      orders.map((order) => codeOf(transactions, order.transactionId)),
    );

    const answers = await times(22, (n) =>
      confirm(transactions, store, orders[n] as Order, codes[n] as string),
    );

    expect(tally(answers)).toEqual({ '200': 22 });
  });
});

describe('wrong codes on the page of a link', () => {
  const newLink = async (store: CornerStore): Promise<string> => {
    const path = '/v1/link/external/tienda-1';
    const { body } = await transactions.call(store.caller, 'POST', path, {
      body: { transaction: AN_ORDER },
    });
    await send(body.transactionId);
    return body.transactionId;
  };
  const send = (transactionId: string, sendCode = 'again') =>
    transactions.call(service('gateway'), 'POST', '/internal/links/open', {
      body: { transactionId, sendCode },
    });
  const type = (transactionId: string, code: string) =>
    transactions.call(service('gateway'), 'POST', '/internal/links/check-code', {
      body: { transactionId, code },
    });
  const renew = async (transactionId: string) => {
    await transactions.rows(
      'UPDATE verifications SET expires_at = now() WHERE transaction_id = $1',
      [transactionId],
    );
    await send(transactionId);
  };

  it('are five for each code and ten in all', async () => {
    const store = await transactions.createCornerStore();
    const link = await newLink(store);

    expect(tally(await times(8, () => type(link, WRONG)))).toEqual({ [CHECKED]: 8 });
    expect(await wrongCodesOf(link)).toBe(5);
    await renew(link);
    expect(tally(await times(4, () => type(link, WRONG)))).toEqual({ [CHECKED]: 4 });
    await renew(link);
    expect(tally(await times(4, () => type(link, WRONG)))).toEqual({
      [CHECKED]: 1,
      [REFUSED]: 3,
    });

    expect(outcomeOf(await type(link, await codeOf(transactions, link)))).toBe(REFUSED);
    const another = await newLink(store);
    expect(outcomeOf(await type(another, await codeOf(transactions, another)))).toBe('200');
  });

  it('are limited to forty a day over all links of a wholesaler to a store, separately from the API', async () => {
    const store = await transactions.createCornerStore();
    for (let links = 0; links < 8; links += 1) {
      const link = await newLink(store);
      await times(5, () => type(link, WRONG));
    }

    const last = await newLink(store);
    expect(outcomeOf(await type(last, await codeOf(transactions, last)))).toBe(REFUSED);
    const order = await newOrder(store);
    const code = await codeOf(transactions, order.transactionId);
    expect(outcomeOf(await confirm(transactions, store, order, code))).toBe('200');
  });

  it('are not counted with those of the API', async () => {
    const store = await transactions.createCornerStore();
    await guess(store, 5);
    const link = await newLink(store);
    expect(outcomeOf(await type(link, await codeOf(transactions, link)))).toBe('200');
  });

  async function wrongCodesOf(transactionId: string): Promise<number | undefined> {
    const [row] = await transactions.rows<{ page_wrong_codes: number }>(
      'SELECT page_wrong_codes FROM verifications WHERE transaction_id = $1',
      [transactionId],
    );
    return row?.page_wrong_codes;
  }
});
