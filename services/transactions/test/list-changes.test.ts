import { Client } from 'pg';
import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

const AN_ID = '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e';

let transactions: TransactionsService;
let owner: Client;
beforeAll(async () => {
  transactions = await startTransactions();
  owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = transactions');
});
afterAll(async () => {
  await owner.end();
  await transactions.stop();
});

describe('GET /transaction?updatedSince', () => {
  interface Page {
    ids: string[];
    nextCursor: string | null;
  }

  async function changes(store: Pick<CornerStore, 'caller'>, query: string): Promise<Page> {
    const path = `/v1/transaction?updatedSince=${query}`;
    const { status, body } = await transactions.call(store.caller, 'GET', path);
    expect([status, body]).toEqual([200, expect.anything()]);
    return {
      ids: body.transactions.map((t: { transactionId: string }) => t.transactionId),
      nextCursor: body.nextCursor,
    };
  }

  /** Ids of the pages from a cursor on, two orders on each. */
  async function changesAfter(store: CornerStore, cursor: string | null): Promise<string[]> {
    const seen: string[] = [];
    for (let next = cursor; next !== null;) {
      const page = await changes(store, `2020-01-01&limit=2&cursor=${next}`);
      seen.push(...page.ids);
      next = page.nextCursor;
    }
    return seen;
  }

  async function ordersOf(store: CornerStore, count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await transactions.order(store)).body.transactionId);
    return ids;
  }

  const cancel = (store: CornerStore, id = '') =>
    transactions.call(store.caller, 'POST', `/v1/transaction/${id}/cancel`);

  it('lists every order again that changes between two pages, and skips none', async () => {
    const store = await transactions.createCornerStore();
    const [one, two, three, four, five] = await ordersOf(store, 5);

    const first = await changes(store, '2020-01-01&limit=2');
    expect(first.ids).toEqual([one, two]);
    // The row that the cursor points at, and one of a later page.
    await cancel(store, two);
    await cancel(store, four);

    expect(await changesAfter(store, first.nextCursor)).toEqual([three, five, two, four]);
  });

  it('pages through orders of the same millisecond and of the same microsecond', async () => {
    const store = await transactions.createCornerStore();
    const ids = await ordersOf(store, 5);
    await setTimes(ids, ['0.000001', '0.000001', '0.000001', '0.000002', '0.000003']);

    const first = await changes(store, '2020-01-01&limit=2');
    const seen = [...first.ids, ...(await changesAfter(store, first.nextCursor))];

    expect(seen).toEqual(ids);
  });

  it('begins with the orders of that very time and keeps the other filters', async () => {
    const store = await transactions.createCornerStore();
    const [before, at, after] = (await ordersOf(store, 3)) as [string, string, string];
    await cancel(store, at);
    await setTimes([before, at, after], ['0.999999', '1', '2']);

    const since = '2026-01-01T00:00:01Z';
    expect((await changes(store, since)).ids).toEqual([at, after]);
    expect((await changes(store, `${since}&status=cancelled`)).ids).toEqual([at]);
    expect((await changes(store, `${since}&to=2020-01-01`)).ids).toEqual([]);
    expect((await changes(store, `${since}&from=2020-01-01`)).ids).toEqual([at, after]);
    expect((await changes(store, '9999-12-31')).ids).toEqual([]);
  });

  it('does not go back before that time with an earlier cursor', async () => {
    const store = await transactions.createCornerStore();
    const ids = await ordersOf(store, 2);
    await setTimes(ids, ['1', '3']);
    const query = `2026-01-01T00:00:02Z&cursor=2026-01-01T00:00:00.000000Z_${AN_ID}`;
    expect((await changes(store, query)).ids).toEqual([ids[1]]);
  });

  it('dates a change by its statement, not by the start of its database transaction', async () => {
    const store = await transactions.createCornerStore();
    const [id] = await ordersOf(store, 1);
    await owner.query('BEGIN');
    const { rows } = await owner.query(
      `UPDATE transactions SET version = version + 1 WHERE id = $1
       RETURNING updated_at > now() AS later`,
      [id],
    );
    await owner.query('ROLLBACK');
    expect(rows).toEqual([{ later: true }]);
  });

  it('shows nothing of another wholesaler through its cursor', async () => {
    const store = await transactions.createCornerStore();
    await ordersOf(store, 3);
    const { nextCursor } = await changes(store, '2020-01-01&limit=2');

    const other = { caller: wholesaler() };
    expect(await changes(other, `2020-01-01&cursor=${nextCursor}`)).toEqual({
      ids: [],
      nextCursor: null,
    });
  });

  it.each([
    'updatedSince=2026-02-31',
    'updatedSince=yesterday',
    'updatedSince=2026-11-22&cursor=x',
    `updatedSince=2026-11-22&cursor=${AN_ID}`,
    `updatedSince=2026-11-22&cursor=2026-02-31T10:00:00.000000Z_${AN_ID}`,
    `updatedSince=2026-11-22&cursor=2026-11-22T10:00:00Z_${AN_ID}`,
    // Postgres cannot read it.
    `updatedSince=2026-11-22&cursor=2026-11-22T24:00:00.000001Z_${AN_ID}`,
    'updatedSince=2026-11-22&cursor=2026-11-22T10:00:00.000000Z_x',
    `cursor=2026-11-22T10:00:00.000000Z_${AN_ID}`,
  ])('refuses ?%s', async (query) => {
    const answer = await transactions.call(wholesaler(), 'GET', `/v1/transaction?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'Bad Request']);
  });

  /** Sets the seconds of 2026 at which orders changed, past the trigger that dates changes. */
  const setTimes = (ids: string[], seconds: string[]) =>
    owner.query(`
      BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE transactions SET updated_at = '2026-01-01T00:00:00Z'::timestamptz + given.seconds
        FROM (VALUES ${ids.map((id, n) => `('${id}'::uuid, interval '${seconds[n]} s')`).join()})
          AS given(id, seconds) WHERE transactions.id = given.id;
      COMMIT`);
});
