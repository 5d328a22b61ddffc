import { DateTime } from 'luxon';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import type { Caller } from '@fiado/contracts/caller';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { transactionCredited } from '@fiado/contracts/jobs/debts';
import { disputeChanged } from '@fiado/contracts/jobs/disputes';
import { randomUUID } from 'node:crypto';
import { forAllTests } from '../../../test/support/for-all-tests';
import { paymentsService } from '../src/service';
import { sendNotices } from '../src/notices/send-notices';
import { brokenInvariants, detect, reverse } from './support/defaults';
import { depositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const ZONE = 'America/Mexico_City';
const FORMAT = 'yyyy-MM-dd HH:mm:ss.SSS';
/** The end of the day before yesterday: the last moment to pay. */
const LAST_MOMENT = DateTime.now().setZone(ZONE).minus({ days: 2 }).endOf('day');
const IN_TIME = LAST_MOMENT.minus({ hours: 15 });
const TOO_LATE = LAST_MOMENT.plus({ minutes: 1 });

let now = new Date();
const payments = forAllTests(() => startPayments({ clock: { now: () => now } }));

/** Whose signature the gateway has checked. */
const SIGNING: Caller = { ...oxxo, hasSigned: true };

type Order = ReturnType<typeof delivery>;

/** A debt of 1,058 that is in default since its last day was over. */
async function inDefault(changes: Parameters<typeof delivery>[0] = {}): Promise<Order> {
  const order = delivery({ dueAt: LAST_MOMENT.toJSDate().toISOString(), ...changes });
  await deliverTransaction(payments, order);
  return order;
}

/** Reports a payment of a debt now. @returns the deposit's id */
async function report(
  order: Order,
  valor: number,
  paidAt: DateTime,
  caller: Caller = SIGNING,
): Promise<string> {
  const { id_factura: idFactura } = await receivableOf(payments, order);
  const body = depositJson({ idFactura, valor, fechaPago: paidAt.toFormat(FORMAT) });
  expect((await postDeposit(payments, body, caller)).status).toBe(200);
  await untilSettled(payments);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [body.claveDePago],
  );
  return row?.id ?? '';
}

/** The default as ops sees it. */
const shownToOps = async ({ cornerStoreId }: Order) => {
  const path = `/v1/admin/defaults?cornerStoreId=${cornerStoreId}`;
  return (await payments.call(ops(), 'GET', path)).body.paymentDefaults;
};
const listed = async ({ wholesalerId }: Order) => {
  const caller = { ...wholesaler(), id: wholesalerId };
  const path = '/v1/corner-store/default-information';
  const { totalElements, paymentDefaults } = (await payments.call(caller, 'GET', path)).body;
  return [totalElements, paymentDefaults.length];
};

it('a default of a debt that was paid in time is withdrawn with the late report: event and lists', async () => {
  const caller = wholesaler();
  await switchEvents(payments, caller.id);
  const order = await inDefault({ wholesalerId: caller.id });
  await detect(payments);
  expect(await listed(order)).toEqual([1, 1]);
  await report(order, 58, IN_TIME.minus({ days: 1 }));
  const depositId = await report(order, 1000, IN_TIME);

  expect(await shownToOps(order)).toMatchObject([
    { status: 'withdrawn', withdrawnAt: expect.any(String), withdrawnBy: depositId, amountDue: 0 },
  ]);
  expect(await listed(order)).toEqual([0, 0]);
  const events = await eventsOf(
    payments,
    paymentsService.events?.(payments.context.config),
    caller.id,
  );
  expect(
    events.flatMap(({ type, data }) =>
      type.startsWith('default.') ? [[type, data.version, data.transactionId]] : [],
    ),
  ).toEqual([
    ['default.opened', 1, order.transactionId],
    ['default.closed', 2, order.transactionId],
    ['default.withdrawn', 3, order.transactionId],
  ]);

  // The payment was none: the default that follows stands beside the one that was withdrawn.
  await reverse(payments, depositId);
  const [again, withdrawn] = await shownToOps(order);
  expect([again.status, withdrawn.status]).toEqual(['open', 'withdrawn']);
  expect(await listed(order)).toEqual([1, 1]);
  expect(await brokenInvariants(payments)).toEqual([]);
});

it('a default is withdrawn by the days of an open dispute, also when fewer are added in the end', async () => {
  const order = await inDefault({
    dueAt: LAST_MOMENT.minus({ days: 3 }).toJSDate().toISOString(),
  });
  await detect(payments);
  const { transactionId } = order;
  const disputeId = randomUUID();
  const openedAt = new Date().toISOString();
  const open = { disputeId, transactionId, openedAt, closedAt: null, days: null };
  await payments.handle(disputeChanged, { id: disputeId, version: 1 }, open);
  await report(order, 1058, LAST_MOMENT.minus({ days: 1 }));
  expect(await shownToOps(order)).toMatchObject([{ status: 'withdrawn' }]);
  const decided = { ...open, closedAt: openedAt, days: 1 };
  await payments.handle(disputeChanged, { id: disputeId, version: 2 }, decided);
  expect(await brokenInvariants(payments)).toEqual([]);
});

it.each([
  ['a part was paid after its last day', [58, 1000], [TOO_LATE, IN_TIME]],
  ['the last part was paid after its last day', [58, 1000], [IN_TIME, TOO_LATE]],
] as const)('a default stays when %s', async (_, values, times) => {
  const order = await inDefault();
  await detect(payments);
  await report(order, values[0], times[0]);
  await report(order, values[1], times[1]);
  expect(await shownToOps(order)).toMatchObject([
    { status: 'closed', withdrawnAt: null, withdrawnBy: null },
  ]);
  expect(await listed(order)).toEqual([1, 1]);
});

it('a default stays when its report is not signed or unlikely late, or a part was credited after the last day', async () => {
  const unsigned = await inDefault();
  const old = await inDefault({ dueAt: LAST_MOMENT.minus({ days: 100 }).toJSDate().toISOString() });
  const credited = await inDefault();
  await detect(payments);
  await report(unsigned, 1058, IN_TIME, oxxo);
  await report(old, 1058, LAST_MOMENT.minus({ days: 101 }));
  await payments.handle(
    transactionCredited,
    { id: randomUUID(), version: 1 },
    {
      creditNoteId: randomUUID(),
      transactionId: credited.transactionId,
      wholesalerId: credited.wholesalerId,
      principalCents: 10_000,
      interestCents: 500,
      ivaCents: 80,
    },
  );
  await report(credited, 952.2, IN_TIME);
  for (const order of [unsigned, old, credited]) {
    expect(await shownToOps(order)).toMatchObject([{ status: 'closed' }]);
  }
});

it('a store that was told of its default is told that it is withdrawn, and another one is not', async () => {
  const orders = [await inDefault(), await inDefault()] as const;
  await detect(payments);
  const [told] = orders;
  await payments.rows(
    `INSERT INTO notices (kind, subject_id, corner_store_id, not_before, state, decided_at)
     SELECT 'payment-overdue', id, corner_store_id, now(), 'sent', now() - interval '25 hours'
       FROM receivables WHERE transaction_id = $1`,
    [told.transactionId],
  );
  for (const order of orders) await report(order, 1058, IN_TIME);

  // Until the store's daytime has come.
  for (let hours = 0; hours < 7 * 24; hours += 6) {
    now = DateTime.now().plus({ hours }).toJSDate();
    while (await sendNotices(payments.context));
  }
  const jobs = await payments.outbox('notify-corner-store');
  expect(
    jobs.flatMap(({ data }) => ('kind' in data && data.kind === 'default-withdrawn' ? [data] : [])),
  ).toMatchObject([
    {
      cornerStoreId: told.cornerStoreId,
      subjectId: told.transactionId,
      wholesalerId: told.wholesalerId,
      values: { dueOn: LAST_MOMENT.toFormat('yyyy-MM-dd') },
    },
  ]);
});
