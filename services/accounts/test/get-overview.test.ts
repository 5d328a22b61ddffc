import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { createWholesaler, customerBody, startAccounts, type Accounts } from './support/accounts';

const AS_OF = '2026-11-22T16:04:31.000Z';
const FIGURES = {
  transactions: {
    asOf: AS_OF,
    deadJobs: 1,
    orders: 2,
    amountCents: 150_000,
    hours: [{ startsAt: '2026-11-22T15:00:00.000Z', orders: 2, amountCents: 150_000 }],
  },
  payments: {
    asOf: AS_OF,
    deadJobs: 2,
    deliveries: 1,
    deliveredCents: 50_000,
    deposits: 1,
    depositedCents: 52_900,
    unmatchedDeposits: 4,
    oldestUnmatchedSeconds: 5400,
    par30: 0.25,
    par30AsOf: '2026-11-21',
    ageing: [
      { bucket: '0', receivables: 3, amountCents: 300_000 },
      { bucket: '1-7', receivables: 0, amountCents: 0 },
      { bucket: '8-30', receivables: 0, amountCents: 0 },
      { bucket: '31-60', receivables: 1, amountCents: 75_000 },
      { bucket: '61+', receivables: 1, amountCents: 25_000 },
    ],
  },
};

/** The days that the stand-in of a service was asked for. */
const asked: string[] = [];

let services: StandIn[];
let accounts: Accounts;
beforeAll(async () => {
  services = await Promise.all(
    Object.values(FIGURES).map((figures) =>
      startStandIn(({ body }) => {
        asked.push(body);
        return { body: figures };
      }),
    ),
  );
  const [transactions, payments] = services.map(({ url }) => url);
  accounts = await startAccounts({
    // Half past midnight on the 22nd in Mexico City.
    clock: { now: () => new Date('2026-11-22T06:30:00Z') },
    config: {
      TRANSACTIONS_URL: transactions ?? '',
      PAYMENTS_URL: payments ?? '',
      // Nothing listens on the port of discard.
      NOTIFIER_URL: 'http://127.0.0.1:9',
    },
  });
});
afterAll(async () => {
  await accounts.stop();
  for (const service of services) await service.stop();
});

const overview = () => accounts.call(ops('viewer'), 'GET', '/v1/admin/overview');

it('puts together the figures of all services, and tells which one did not answer', async () => {
  const { wholesalerId } = await createWholesaler(accounts);
  await accounts.call(ops(), 'POST', `/v1/admin/wholesalers/${wholesalerId}/customers`, {
    body: { customers: [customerBody(), customerBody()] },
  });
  await accounts.rows(`UPDATE corner_stores SET status = 'in-manual-validation'
                        WHERE id = (SELECT id FROM corner_stores LIMIT 1)`);

  const keys = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
  await accounts.call(staffMember('admin', new Date()), 'POST', keys);

  const { status, body } = await overview();
  expect(status).toBe(200);
  expect(body).toEqual({
    asOf: expect.stringMatching(/^\d{4}-.*Z$/),
    day: '2026-11-22',
    unavailable: ['notifier'],
    waiting: {
      storesInValidation: 1,
      phonesHeld: 0,
      pendingChanges: 1,
      unmatchedDeposits: 4,
      oldestUnmatchedSeconds: 5400,
      failingWebhooks: null,
      disabledEndpoints: null,
      deadJobs: 3,
    },
    orders: {
      asOf: AS_OF,
      orders: 2,
      totalAmount: 1500,
      hours: [{ startsAt: '2026-11-22T15:00:00.000Z', orders: 2, totalAmount: 1500 }],
    },
    payments: {
      asOf: AS_OF,
      deliveries: 1,
      deliveredAmount: 500,
      deposits: 1,
      depositedAmount: 529,
      outstandingAmount: 4000,
      par30: 0.25,
      par30AsOf: '2026-11-21',
      ageing: [
        { days: '0', receivables: 3, amountDue: 3000 },
        { days: '1-7', receivables: 0, amountDue: 0 },
        { days: '8-30', receivables: 0, amountDue: 0 },
        { days: '31-60', receivables: 1, amountDue: 750 },
        { days: '61+', receivables: 1, amountDue: 250 },
      ],
    },
    messages: null,
  });
  expect(asked.map((text) => JSON.parse(text) as object)).toEqual([
    { since: '2026-11-22T06:00:00.000Z' },
    { since: '2026-11-22T06:00:00.000Z' },
  ]);
});

it('takes no query', async () => {
  expect((await accounts.call(ops('viewer'), 'GET', '/v1/admin/overview?day=1')).status).toBe(400);
});
