import { randomUUID } from 'node:crypto';
import { ops, service } from '@fiado/chassis/testing/callers';
import { storeDenies } from '@fiado/contracts/jobs/disputes';
import { SMS_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { credit } from './support/credit-notes';
import { brokenInvariants } from './support/invariants';
import { deliveredOrder } from './support/statements';
import {
  type CornerStore,
  startTransactions,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
let store: CornerStore;
beforeAll(async () => {
  transactions = await startTransactions();
});
beforeEach(async () => {
  store = await transactions.createCornerStore();
});
afterAll(async () => {
  expect(await brokenInvariants(transactions)).toEqual([]);
  await transactions.stop();
});

const sid = () => `SM${randomUUID().replaceAll('-', '')}`;

/** An SMS of the store, as accounts passes it on. */
function say(
  changes: Partial<{ smsId: string; choice: number; saidAt: string; wholesalerIds: string[] }> = {},
) {
  const { cornerStoreId, caller } = store;
  const saidAt = new Date().toISOString();
  const data = { cornerStoreId, wholesalerIds: [caller.id], smsId: sid(), saidAt, ...changes };
  return transactions.handle(storeDenies, { id: cornerStoreId, version: 1 }, data);
}
/** The open disputes of the store: their orders, and how they were opened. */
async function disputes(): Promise<unknown[]> {
  const path = `/v1/admin/disputes?status=open&cornerStoreId=${store.cornerStoreId}`;
  const { body } = await transactions.call(ops('viewer'), 'GET', path);
  return body.disputes.map(({ transactionId, openedBy }: Record<string, unknown>) => [
    transactionId,
    openedBy,
  ]);
}
/** The answers that the store got, oldest first, about itself or these orders. */
async function answers(...orders: string[]): Promise<Array<[string, object]>> {
  const rows = await transactions.outbox('send-message');
  const ids = [store.cornerStoreId, ...orders];
  return rows
    .map(({ aggregate_id: id, data }) => ({
      id,
      ...(data as { template: string; sealed: string }),
    }))
    .filter(({ id, template }) => ids.includes(id) && template.startsWith('dispute-'))
    .map(({ id, template, sealed }) => {
      const bytes = Buffer.from(sealed, 'base64');
      const { values } = JSON.parse(transactions.context.sealer.open(bytes, SMS_PURPOSE, id));
      return [template, values];
    });
}
const decide = async (how: 'keep' | 'credit') => {
  const path = `/v1/admin/disputes?status=open&cornerStoreId=${store.cornerStoreId}`;
  const { body } = await transactions.call(ops(), 'GET', path);
  const decision = `/v1/admin/disputes/${body.disputes[0].disputeId}/${how}`;
  const answer = await transactions.call(ops(), 'POST', decision, { body: { reason: 'Visto' } });
  expect(answer.status).toBe(200);
};

it('NO disputes the only delivery of two days, and the same SMS again changes nothing', async () => {
  const order = await deliveredOrder(transactions, store, 1000);
  const smsId = sid();
  await say({ smsId });
  await say({ smsId });
  expect(await disputes()).toEqual([[order, 'sms']]);
  expect(await answers(order)).toEqual([
    ['dispute-noted', { amountCents: 105_800, wholesaler: expect.any(String) }],
  ]);
});

it('with several deliveries NO asks which one, and its number counts in what was asked', async () => {
  const [first, second] = [
    await deliveredOrder(transactions, store, 1000),
    await deliveredOrder(transactions, store, 500),
  ];
  await say();
  const [[template, values] = []] = await answers();
  expect([template, values]).toEqual([
    'dispute-choice',
    expect.objectContaining({ amountCents: 105_800, secondCents: 52_900, thirdWholesaler: '' }),
  ]);
  expect(await disputes()).toEqual([]);
  // The first leaves the two days: 2 is still the second.
  await transactions.rows(
    `UPDATE transactions SET delivered_at = delivered_at - interval '49 hours' WHERE id = $1`,
    [first],
  );
  await say({ choice: 2 });
  expect(await disputes()).toEqual([[second, 'sms']]);
  await transactions.rows(
    `UPDATE transactions SET delivered_at = delivered_at + interval '49 hours' WHERE id = $1`,
    [first],
  );
});

it.each([
  ['nothing was delivered', {}, 0],
  [
    'the delivery is older than two days when it is said',
    { saidAt: '2099-01-01T00:00:00.000Z' },
    1,
  ],
  ['the phone may not see the orders of that wholesaler', { wholesalerIds: [] }, 1],
])('where %s, NO says whom to call', async (_, changes, deliveries) => {
  for (let at = 0; at < deliveries; at += 1) await deliveredOrder(transactions, store, 1000);
  await say(changes);
  expect(await disputes()).toEqual([]);
  expect(await answers()).toEqual([['dispute-call', {}]]);
});

it('an SMS beyond five a day is not answered', async () => {
  for (let at = 0; at < 7; at += 1) await say();
  expect(await answers()).toHaveLength(5);
});

it('a store that was right disputes again; one that was not calls, for a quarter', async () => {
  const first = await deliveredOrder(transactions, store, 1000);
  await say();
  await decide('credit');
  const second = await deliveredOrder(transactions, store, 1000);
  await say();
  expect(await disputes()).toEqual([[second, 'sms']]);
  await decide('keep');
  expect((await answers(first, second)).map(([template]) => template)).toEqual([
    'dispute-noted',
    'dispute-noted',
    'dispute-kept',
  ]);
  await say();
  expect(await disputes()).toEqual([]);
  await transactions.rows(
    `UPDATE disputes SET opened_at = opened_at - interval '91 days' WHERE transaction_id = $1`,
    [second],
  );
  await say();
  expect(await disputes()).toEqual([[second, 'sms']]);
  await transactions.rows(
    `UPDATE disputes SET opened_at = decided_at WHERE transaction_id = $1 AND status = 'kept'`,
    [second],
  );
});

describe('on its page', () => {
  const ask = (path: string, more: object = {}) => {
    const { cornerStoreId, caller } = store;
    const body = { cornerStoreId, wholesalerId: caller.id, ...more };
    return transactions.call(service('gateway'), 'POST', `/internal/${path}`, { body });
  };
  const deny = (transactionId: string, more: object = {}) =>
    ask('deny-delivery', { transactionId, ...more });

  it('a store denies a delivery of the last two days, once', async () => {
    const order = await deliveredOrder(transactions, store, 1000);
    const listed = async () => (await ask('recent-deliveries')).body.deliveries;
    expect(await listed()).toMatchObject([
      {
        transactionId: order,
        amount: 1058,
        timeZone: 'America/Mexico_City',
        isDisputed: false,
      },
    ]);
    expect((await deny(order)).body).toEqual({ isNoted: true });
    expect((await deny(order)).body).toEqual({ isNoted: true });
    expect(await disputes()).toEqual([[order, 'page']]);
    expect(await listed()).toMatchObject([{ transactionId: order, isDisputed: true }]);
    expect(await answers(order)).toHaveLength(1);
  });

  it('an order of another store, an old one and one that is all credited are refused', async () => {
    const own = await deliveredOrder(transactions, store, 1000);
    const neighbour = await transactions.createCornerStore();
    const other = await deliveredOrder(transactions, neighbour, 1000);
    await credit(transactions, store, own, { body: { amount: 1000 } });
    for (const id of [own, other]) {
      expect((await deny(id)).body.errorCode).toBe('TRANSACTION_NOT_FOUND');
    }
    expect((await ask('recent-deliveries')).body.deliveries).toEqual([]);
  });
});
