import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { payFor, reverse } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const collections = (days: string) =>
  payments.call(ops('viewer'), 'GET', `/v1/admin/reports/collections?${days}`);

it('a deposit that was reversed or never matched is not collected', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  await payFor(payments, order, 300);
  await reverse(payments, await payFor(payments, order, 200));
  await deposit(payments, { valor: 70 });
  // The last moment of a day in Mexico, and the first of the next one.
  await payments.rows(
    `UPDATE deposits SET received_at = CASE status WHEN 'unmatched' THEN '2026-03-03T06:00:00Z'
                                       ELSE '2026-03-03T05:59:59Z' END::timestamptz`,
  );

  const { status, body } = await collections('from=2026-03-02&to=2026-03-03');
  expect(status).toBe(200);
  expect(body.collections).toMatchObject([
    { day: '2026-03-02', deposits: 2, received: 500, collected: 300, reversed: 200, unmatched: 0 },
    { day: '2026-03-03', deposits: 1, received: 70, collected: 0, unmatched: 70, waiting: 0 },
  ]);
  expect((await collections('from=2026-03-04&to=2026-03-04')).body).toEqual({ collections: [] });
  expect((await collections('from=2026-03-01&to=2026-04-01')).status).toBe(400);
});
