import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { payFor } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date();

const payments = forAllTests(() => startPayments({ clock: { now: () => NOW } }));

const figures = (since: Date) =>
  payments.call(service('accounts'), 'POST', '/internal/ops-figures', {
    body: { since: since.toISOString() },
  });

async function dueDaysAgo(days: number) {
  const dueAt = new Date(NOW.getTime() - days * DAY_MS).toISOString();
  const order = delivery({ dueAt });
  await deliverTransaction(payments, order);
  return order;
}

it('sums deliveries, deposits and what is outstanding by the days that it is overdue', async () => {
  for (const days of [-3, 0.5, 6.5, 7.5, 30.5, 59, 61]) await dueDaysAgo(days);
  await payFor(payments, await dueDaysAgo(10), 1058);
  await payFor(payments, await dueDaysAgo(11), 58);
  // A default before its day, as a sandbox makes it.
  const { transactionId } = await dueDaysAgo(-5);
  await payments.rows('UPDATE receivables SET in_default = true WHERE transaction_id = $1', [
    transactionId,
  ]);
  await deposit(payments, { valor: 70 });
  await payments.rows(`UPDATE deposits SET received_at = now() - interval '90 minutes'
                        WHERE status = 'unmatched'`);

  const { status, body } = await figures(new Date(NOW.getTime() - DAY_MS));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    deliveries: 10,
    deliveredCents: 1_000_000,
    deposits: 3,
    depositedCents: 118_600,
    unmatchedDeposits: 1,
    deadJobs: 0,
    par30: null,
    par30AsOf: null,
    ageing: [
      { bucket: '0', receivables: 1, amountCents: 105_800 },
      { bucket: '1-7', receivables: 3, amountCents: 317_400 },
      { bucket: '8-30', receivables: 2, amountCents: 205_800 },
      { bucket: '31-60', receivables: 2, amountCents: 211_600 },
      { bucket: '61+', receivables: 1, amountCents: 105_800 },
    ],
  });
  expect(body.oldestUnmatchedSeconds).toBeGreaterThanOrEqual(5400);
  expect((await figures(new Date(NOW.getTime() + DAY_MS))).body).toMatchObject({
    deliveries: 0,
    deposits: 0,
  });
});
