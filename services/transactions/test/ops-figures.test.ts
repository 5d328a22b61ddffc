import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startTransactions } from './support/transactions';

const HOUR_MS = 3_600_000;

const transactions = forAllTests(startTransactions);

const THIS_HOUR = Math.floor(Date.now() / HOUR_MS);
/** The beginning of an hour. */
const hoursAgo = (hours: number) => new Date((THIS_HOUR - hours) * HOUR_MS);
const SINCE = hoursAgo(20).toISOString();

const figures = (since: string, name: 'accounts' | 'payments' = 'accounts') =>
  transactions.call(service(name), 'POST', '/internal/ops-figures', { body: { since } });

it('sums the orders of a day by hour, in a sample that is shared for a minute', async () => {
  const [one, other] = [
    await transactions.createCornerStore(),
    await transactions.createCornerStore(),
  ];
  for (const store of [one, other]) await transactions.order(store);
  const { body: early } = await transactions.order(one);
  await transactions.rows('UPDATE transactions SET created_at = $2 WHERE id = $1', [
    early.transactionId,
    new Date(hoursAgo(18).getTime() + HOUR_MS / 2),
  ]);

  const { body } = await figures(SINCE);
  expect(body).toMatchObject({ orders: 3, amountCents: 300_000, deadJobs: 0 });
  expect(body.hours).toMatchObject([
    { startsAt: hoursAgo(18).toISOString(), orders: 1, amountCents: 100_000 },
    { orders: 2, amountCents: 200_000 },
  ]);

  await transactions.order(other);
  expect((await figures(SINCE)).body).toEqual(body);
  // Another day is another sample.
  expect((await figures(hoursAgo(10).toISOString())).body).toMatchObject({ orders: 3 });
});

it('answers accounts alone, and a day', async () => {
  expect((await figures(SINCE, 'payments')).status).toBe(403);
  expect((await figures('today')).status).toBe(400);
});
