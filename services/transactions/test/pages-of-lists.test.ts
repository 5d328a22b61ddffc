import { ops } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { forAllTests } from '../../../test/support/for-all-tests';
import { writeManyOrders } from './support/many-orders';
import { type CornerStore, startTransactions } from './support/transactions';

const ORDERS = 20_000;
/** A page of 5 orders reads each of them and the way to it in the indexes of some tables. */
const FEW_PAGES = 100;

const transactions = forAllTests(startTransactions);
let store: CornerStore;
/** Of the same wholesaler, with few orders, as most stores of a large wholesaler. */
let small: CornerStore;
beforeAll(async () => {
  store = await transactions.createCornerStore();
  const another = async (): Promise<CornerStore> => {
    const { cornerStoreId, userId } = await transactions.createCornerStore();
    return { ...store, cornerStoreId, userId };
  };
  small = await another();
  // Those of a third store were given up.
  await writeManyOrders(transactions, await another(), ORDERS / 4);
  await transactions.rows(`UPDATE transactions SET status = 'expired', paid_at = NULL`);
  await writeManyOrders(transactions, small, 20);
  await writeManyOrders(transactions, store, ORDERS);
});

/** The pages that one page of a list reads, and its orders. */
async function read(path: string, caller = store.caller) {
  const { context, ownerUrl } = transactions;
  let listed: string[] = [];
  let nextCursor: string | null = null;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'transactions' }, async () => {
    const { status, body } = await transactions.call(caller, 'GET', path);
    expect(status).toBe(200);
    listed = body.transactions.map((one: { transactionStatus: string }) => one.transactionStatus);
    nextCursor = body.nextCursor;
  });
  return { pages, listed, nextCursor };
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** The list of a wholesaler, and that of ops in both directions. */
const lists = () =>
  [
    ['/v1/transaction?', store.caller],
    ['/v1/admin/transactions?', ops('viewer')],
    ['/v1/admin/transactions?sort=createdAt&', ops('viewer')],
  ] as const;

const ofStore = () => `cornerStoreId=${store.cornerStoreId}`;

it('the totals are of the first 10,000 orders, so that they have a bound', async () => {
  const totals = async (filter: string) => {
    const path = `/v1/admin/transactions?limit=1&totals=true&${filter}`;
    return (await transactions.call(ops('viewer'), 'GET', path)).body.totals;
  };
  for (const filter of ['', ofStore(), `wholesalerId=${store.caller.id}&status=paid`]) {
    expect(await totals(filter)).toMatchObject({ count: 10_000, hasMore: true });
  }
  const ofSmall = `cornerStoreId=${small.cornerStoreId}`;
  expect(await totals(ofSmall)).toMatchObject({ count: 20, hasMore: false });
});

describe('a page of orders costs the same, however many orders there are', () => {
  it.each<[name: string, filter: () => string]>([
    ['no filter', () => ''],
    ['a status that the newest do not have', () => 'status=paid'],
    ['a status and a first moment', () => `status=paid&from=${daysAgo(700)}`],
    ['a status and an end', () => `status=paid&to=${daysAgo(600)}`],
    ['a status and a period', () => `status=delivery&from=${daysAgo(300)}&to=${daysAgo(200)}`],
    ['a store', () => ofStore()],
    ['a store and an end', () => `${ofStore()}&to=${daysAgo(400)}`],
    ['a store and a period', () => `${ofStore()}&from=${daysAgo(700)}&to=${daysAgo(10)}`],
    ['a store and a status', () => `${ofStore()}&status=delivery`],
    ['a store and a status that the newest do not have', () => `${ofStore()}&status=paid`],
    ['a store, a status and an end', () => `${ofStore()}&status=paid&to=${daysAgo(600)}`],
  ])('with %s', async (_, filter) => {
    for (const [list, caller] of lists()) {
      const path = `${list}limit=5&${filter()}`;
      const first = await read(path, caller);
      expect(first.listed).toHaveLength(5);
      expect(first.pages).toBeLessThan(FEW_PAGES);

      const second = await read(`${path}&cursor=${first.nextCursor}`, caller);
      expect(second.listed).toHaveLength(5);
      expect(second.pages).toBeLessThan(FEW_PAGES);
    }
  });

  it('with a store and a status that none of its orders has', async () => {
    for (const [list, caller] of lists()) {
      const ofSmall = `cornerStoreId=${small.cornerStoreId}`;
      const { listed, pages } = await read(`${list}limit=5&${ofSmall}&status=expired`, caller);
      expect(listed).toEqual([]);
      expect(pages).toBeLessThan(FEW_PAGES);
    }
  });

  it('of those that were paid since a day, past the ones that are owed', async () => {
    const { listed, pages } = await read(`/v1/transaction?limit=5&paidFrom=${daysAgo(700)}`);
    expect(listed).toHaveLength(5);
    expect(pages).toBeLessThan(FEW_PAGES);
  });

  it.each<[name: string, filter: () => string]>([
    ['no filter', () => ''],
    ['a status', () => 'status=paid'],
    ['a status and an end', () => `status=paid&to=${daysAgo(600)}`],
    ['a store', () => ofStore()],
  ])('far back, with %s', async (_, filter) => {
    const [order] = await transactions.rows<{ id: string }>(
      'SELECT id FROM transactions ORDER BY created_at OFFSET 100 LIMIT 1',
    );
    for (const [list, caller] of lists()) {
      const { listed, pages } = await read(
        `${list}limit=5&cursor=${order?.id}&${filter()}`,
        caller,
      );
      expect(listed).toHaveLength(5);
      expect(pages).toBeLessThan(FEW_PAGES);
    }
  });
});
