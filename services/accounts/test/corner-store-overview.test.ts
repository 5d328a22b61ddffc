import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  approve,
  createCustomer,
  createWholesaler,
  startAccounts,
  type Customer,
} from './support/accounts';

/** Nothing listens there: the other services are down. */
const AWAY = 'http://127.0.0.1:9';

const accounts = forAllTests(() =>
  startAccounts({
    config: { TRANSACTIONS_URL: AWAY, PAYMENTS_URL: AWAY, NOTIFIER_URL: AWAY },
  }),
);
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ wholesalerId } = await createWholesaler(accounts));
  customer = await createCustomer(accounts, wholesalerId);
  await approve(accounts, customer.cornerStoreId);
});

function read(
  path: string,
  {
    query = {},
    by = ops('viewer', 'reader'),
  }: { query?: Record<string, string>; by?: ReturnType<typeof ops> } = {},
): Promise<Answer> {
  return accounts.call(by, 'GET', `/v1/admin/${path}?${new URLSearchParams(query).toString()}`);
}

const search = (q: unknown, by = ops('viewer', 'reader')): Promise<Answer> =>
  accounts.call(by, 'POST', '/v1/admin/search', { body: { q } });

const auditOf = (actor: string) =>
  accounts.rows<{ action: string; details: object }>(
    'SELECT action, details FROM audit_log WHERE actor_id = $1 ORDER BY occurred_at',
    [actor],
  );

it('the overview is answered without the services that are down, and names them', async () => {
  const { status, body } = await read(`corner-stores/${customer.cornerStoreId}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    cornerStore: {
      cornerStoreId: customer.cornerStoreId,
      status: 'approved',
      firstName: 'A. M.',
      phoneNumber: `********${customer.phoneNumber.slice(-4)}`,
    },
    wholesalers: [{ wholesalerId, name: 'Abarrotes del Norte' }],
    credit: null,
    debts: null,
    missing: ['payments', 'transactions'],
    lenderTimeZone: 'America/Mexico_City',
  });
  expect(await auditOf('reader')).toEqual([]);
});

it('an operator sees the phone, and that is audited', async () => {
  const by = ops('operator', `ana-${randomUUID()}`);
  const { body } = await read(`corner-stores/${customer.cornerStoreId}`, { by });
  expect(body.cornerStore.phoneNumber).toBe(customer.phoneNumber);
  expect((await auditOf(by.id)).map(({ action }) => action)).toEqual(['corner-store.viewed']);
});

it('the timeline is paged without a gap or a repetition', async () => {
  await accounts.call(wholesaler(wholesalerId), 'PUT', `/v1/account/${customer.userId}`, {
    body: { phoneNumber: 'none' },
  });
  const path = `corner-stores/${customer.cornerStoreId}/timeline`;
  const all = async () => (await read(path, { query: { limit: '100' } })).body;
  // It is stored after its answer.
  await until('the refusal is stored', async () =>
    (await all()).entries.some(({ type }: { type: string }) => type === 'request.refused'),
  );
  const whole = await all();
  expect(whole.missing).toEqual(['notifier', 'payments', 'transactions']);
  const ids = whole.entries.map(({ entryId }: { entryId: string }) => entryId);
  expect(whole.entries.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['customer.imported', 'corner-store.approved']),
  );
  const paged = await rowsOfAll('entries', (cursor) =>
    accounts.call(ops('viewer'), 'GET', `/v1/admin/${path}?limit=1${cursor}`),
  );
  expect(paged.slice(0, ids.length).map(({ entryId }) => entryId)).toEqual(ids);
  expect((await read(path, { query: { to: '2020-01-01' } })).body.entries).toEqual([]);
});

it('only an operator finds a store by its phone, and the search is audited without it', async () => {
  const by = ops('operator', `eva-${randomUUID()}`);
  const q = customer.phoneNumber;
  expect((await search(q)).body.hits).toEqual([]);
  const { body } = await search(q, by);
  expect(body).toEqual({
    hits: [
      {
        kind: 'corner-store',
        matchedBy: 'phoneNumber',
        id: customer.cornerStoreId,
        wholesalerId: null,
        cornerStoreId: customer.cornerStoreId,
        label: null,
        errorCode: null,
        amountDue: null,
      },
    ],
    missing: ['payments', 'transactions'],
  });
  await search('+525555559999', by);
  const audited = await auditOf(by.id);
  expect(audited).toEqual([
    { action: 'phone.searched', details: { cornerStoreIds: [customer.cornerStoreId] } },
    { action: 'phone.searched', details: { cornerStoreIds: [] } },
  ]);
});

it('a store, a user, a wholesaler and a customer are found by their ids', async () => {
  const found = async (q: string) =>
    (await search(q)).body.hits.map(({ kind, matchedBy, id }: Record<string, string>) => [
      kind,
      matchedBy,
      id,
    ]);
  const store = customer.cornerStoreId;
  expect(await found(store)).toEqual([['corner-store', 'id', store]]);
  expect(await found(customer.userId)).toEqual([['corner-store', 'userId', store]]);
  expect(await found(` ${customer.externalId} `)).toEqual([['corner-store', 'externalId', store]]);
  expect(await found(wholesalerId)).toEqual([['wholesaler', 'id', wholesalerId]]);
});

it.each([undefined, '', 'x'.repeat(101), '\0'])('a search for %j is a 400', async (q) => {
  expect((await search(q)).status).toBe(400);
});

it.each([
  [`corner-stores/STORE/timeline`, { cursor: 'x' }],
  [`corner-stores/STORE/timeline`, { from: 'yesterday' }],
  [`corner-stores/STORE/timeline`, { limit: '101' }],
])('%s refuses %j', async (path, query) => {
  const answer = await read(path.replace('STORE', customer.cornerStoreId), {
    query: query as unknown as Record<string, string>,
  });
  expect(answer.status).toBe(400);
});

it.each(['', '/timeline'])('an unknown store has no overview and no timeline (%s)', async (end) => {
  for (const id of [randomUUID(), 'x']) {
    const { status, body } = await read(`corner-stores/${id}${end}`);
    expect([status, body.errorCode]).toEqual([404, 'CORNER_STORE_NOT_FOUND']);
  }
});
