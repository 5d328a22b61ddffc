import { service } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { MAX_TIMELINE_PAGE, type TimelineEntry } from '@fiado/contracts/timeline';
import { forAllTests } from '../../../test/support/for-all-tests';
import { writeManyCreditNotes, writeManyOrders } from './support/many-orders';
import { type CornerStore, startTransactions } from './support/transactions';

const ORDERS = 20_000;
/** Of ten entries of each kind, and of the orders of two days, of which this store has 24 each. */
const FEW_PAGES = 2_000;

const transactions = forAllTests(startTransactions);
let store: CornerStore;
beforeAll(async () => {
  store = await transactions.createCornerStore();
  await writeManyOrders(transactions, store, ORDERS);
});

async function timeline(question: object): Promise<TimelineEntry[]> {
  const { status, body } = await transactions.call(
    service('accounts'),
    'POST',
    '/internal/timeline',
    { body: { cornerStoreId: store.cornerStoreId, limit: 10, ...question } },
  );
  expect(status).toBe(200);
  return body.entries;
}

const before = (entry: TimelineEntry | undefined) => ({
  beforeMicros: entry?.atMicros,
  beforeKey: entry?.key,
});

it.each([
  ['newest', () => ({})],
  ['last of a year ago', () => ({ to: new Date(Date.now() - 365 * 86_400_000).toISOString() })],
])('the %s entries cost the same, however many orders the store has', async (_, question) => {
  const { context, ownerUrl } = transactions;
  let entries: TimelineEntry[] = [];
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'transactions' }, async () => {
    entries = await timeline(question());
  });
  expect(entries).toHaveLength(10);
  expect(pages).toBeLessThan(FEW_PAGES);
});

it('the newest entries cost the same, however many credit notes other stores have', async () => {
  const other = await transactions.createCornerStore();
  await writeManyOrders(transactions, other, ORDERS / 2);
  await writeManyCreditNotes(transactions, other);
  const { context, ownerUrl } = transactions;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'transactions' }, async () => {
    expect(await timeline({})).toHaveLength(10);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString();
  const entries = await timeline({ cornerStoreId: other.cornerStoreId, to: yearAgo });
  expect(entries.map(({ type }) => type)).toContain('order.credited');
});

it('small pages have the entries of a large one, each once and in its order', async () => {
  const all = await timeline({ limit: MAX_TIMELINE_PAGE });
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set(['order.created', 'order.confirmed', 'order.delivered']),
  );

  const paged: TimelineEntry[] = [];
  while (paged.length < MAX_TIMELINE_PAGE) {
    const last = paged.at(-1);
    paged.push(...(await timeline(last === undefined ? {} : before(last))));
  }
  expect(paged).toEqual(all);
});

it('no entry is missing: each event of three days is listed once', async () => {
  const [oldest] = await transactions.rows<{ from: Date; to: Date }>(
    `SELECT min(created_at) + interval '10 days' AS "from",
            min(created_at) + interval '13 days' AS "to" FROM transactions`,
  );
  const entries: TimelineEntry[] = [];
  const limit = 30;
  for (;;) {
    const last = entries.at(-1);
    const page = await timeline({ ...oldest, limit, ...(last === undefined ? {} : before(last)) });
    entries.push(...page);
    if (page.length < limit) break;
  }
  const [{ expected } = { expected: 0 }] = await transactions.rows<{ expected: number }>(
    `SELECT count(*)::int AS expected FROM (
       SELECT created_at AS at FROM credit_entries
       UNION ALL SELECT approved_at FROM verifications
       UNION ALL SELECT delivered_at FROM transactions) event
      WHERE at >= $1 AND at < $2`,
    Object.values(oldest ?? {}),
  );
  expect(entries).toHaveLength(expected);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(expected);
});
