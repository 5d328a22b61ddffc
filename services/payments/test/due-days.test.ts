import type { NotifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { sendNotices } from '../src/notices/send-notices';
import { detect } from './support/defaults';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

/** A working day at noon in Mexico. */
const NOON = new Date('2026-11-20T18:00:00Z');
/** 17 November 2026 in Tijuana, whose clocks are two hours behind those of Mexico City. */
const IN_TIJUANA = {
  dueAt: '2026-11-18T07:59:59.999Z',
  dueOn: '2026-11-17',
  timeZone: 'America/Tijuana',
};
/** The same day as the release before announced it. */
const WITHOUT_ZONE = { dueAt: '2026-11-18T05:59:59.999Z' };

let now = NOON;
const payments = forAllTests(() => startPayments({ clock: { now: () => now } }));
beforeEach(() => {
  now = NOON;
});

async function shownOf(order: ReturnType<typeof delivery>) {
  const path = `/v1/transaction/${order.transactionId}/payment`;
  const payment = (await payments.call(wholesaler(order.wholesalerId), 'GET', path)).body;
  const query = `?transactionId=${order.transactionId}`;
  const debts = await payments.call(ops(), 'GET', `/v1/admin/receivables${query}`);
  const defaults = await payments.call(
    ops(),
    'GET',
    `/v1/admin/defaults?cornerStoreId=${order.cornerStoreId}`,
  );
  return {
    payment,
    receivable: debts.body.receivables[0],
    paymentDefault: defaults.body.paymentDefaults[0],
  };
}

it.each([
  ['of its order', IN_TIJUANA, 'America/Tijuana'],
  [
    'of the installation, after an event of the release before',
    WITHOUT_ZONE,
    'America/Mexico_City',
  ],
])('a debt is shown and counted in the time zone %s', async (_, due, paymentTimeZone) => {
  const order = delivery(due);
  await deliverTransaction(payments, order);
  await detect(payments, {});
  const shown = { paymentDate: due.dueAt, paymentTimeZone };

  const { payment, receivable, paymentDefault } = await shownOf(order);
  expect(payment).toMatchObject(shown);
  expect(receivable).toMatchObject({ ...shown, daysOverdue: 3 });
  expect(paymentDefault).toMatchObject({ ...shown, daysOverdue: 3 });

  now = new Date(Date.parse(due.dueAt) + 1);
  expect((await shownOf(order)).receivable).toMatchObject({ status: 'overdue', daysOverdue: 1 });
});

it('messages name the last day in the time zone of the order', async () => {
  const order = delivery(IN_TIJUANA);
  await deliverTransaction(payments, order);

  while (await sendNotices(payments.context));

  const told = (await payments.outbox('notify-corner-store'))
    .map(({ data }) => data as NotifyCornerStore)
    .filter(({ cornerStoreId }) => cornerStoreId === order.cornerStoreId);
  expect(told.map(({ values }) => values)).toMatchObject([{ dueOn: '2026-11-17' }]);
});

it('a debt that the release before booked keeps its day of the installation', async () => {
  const order = delivery(WITHOUT_ZONE);
  await deliverTransaction(payments, order);
  await payments.rows(
    'UPDATE receivables SET due_on = NULL, time_zone = NULL WHERE transaction_id = $1',
    [order.transactionId],
  );

  const { payment, receivable } = await shownOf(order);

  expect(payment.paymentTimeZone).toBe('America/Mexico_City');
  expect(receivable).toMatchObject({ paymentTimeZone: 'America/Mexico_City', daysOverdue: 3 });
});
