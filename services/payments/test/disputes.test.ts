import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { disputeChanged } from '@fiado/contracts/jobs/disputes';
import { forAllTests } from '../../../test/support/for-all-tests';
import { sendNotices } from '../src/notices/send-notices';
import { brokenInvariants, defaultsOf, detect } from './support/defaults';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

let now = new Date('2026-11-24T18:00:00Z');
const payments = forAllTests(() => startPayments({ clock: { now: () => now } }));

type Order = ReturnType<typeof delivery>;

/** A time so many days ago. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

async function deliver(changes: Partial<Order>): Promise<Order> {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  return order;
}

/** What transactions tells of a dispute of an order. */
function tell(
  { transactionId }: Order,
  { disputeId = randomUUID(), days = null as number | null } = {},
): Promise<unknown> {
  const version = days === null ? 1 : 2;
  const closedAt = days === null ? null : ago(0);
  const data = { disputeId, transactionId, openedAt: ago(3), closedAt, days };
  return payments.handle(disputeChanged, { id: disputeId, version }, data);
}

/** As if the order had been delivered a month ago. */
async function deliveredLongAgo({ transactionId }: Order): Promise<void> {
  await payments.rows('UPDATE receivables SET opened_at = $2 WHERE transaction_id = $1', [
    transactionId,
    ago(30),
  ]);
}

/** How many defaults an order has after the detection has run. */
async function defaults(order: Order): Promise<number> {
  await detect(payments);
  return (await defaultsOf(payments, order)).length;
}

describe('the debt of a disputed order', () => {
  it.each([
    ['open', 6, {}, 0],
    ['open', 8, {}, 1],
    ['decided after three days', 2, { days: 3 }, 0],
    ['decided after three days', 4, { days: 3 }, 1],
  ])('%s and due %d days ago', async (_, daysPast, dispute, expected) => {
    const order = await deliver({ dueAt: ago(daysPast) });
    await deliveredLongAgo(order);
    await tell(order, dispute);
    expect(await defaults(order)).toBe(expected);
    expect(await brokenInvariants(payments)).toEqual([]);
  });

  it('is what the newest event says, in whatever order they come', async () => {
    const order = await deliver({ dueAt: ago(4) });
    const dispute = { disputeId: randomUUID() };
    await tell(order, { ...dispute, days: 3 });
    await tell(order, dispute);
    expect(await defaults(order)).toBe(1);
  });

  it('may be overdue by days when the dispute is decided, until the detection runs', async () => {
    const order = await deliver({ dueAt: ago(5) });
    await deliveredLongAgo(order);
    const dispute = { disputeId: randomUUID() };
    await tell(order, dispute);
    expect(await defaults(order)).toBe(0);
    await tell(order, { ...dispute, days: 3 });
    expect(await brokenInvariants(payments)).toEqual([]);
    expect(await defaults(order)).toBe(1);
  });

  it('keeps a person who disputes from being erased', async () => {
    const order = await deliver({});
    const openDisputes = async () => {
      const body = { cornerStoreId: order.cornerStoreId };
      const path = '/internal/corner-store-debts';
      return (await payments.call(service('accounts'), 'POST', path, { body })).body.openDisputes;
    };
    const dispute = { disputeId: randomUUID() };
    await tell(order, dispute);
    expect(await openDisputes()).toBe(1);
    await tell(order, { ...dispute, days: 1 });
    expect(await openDisputes()).toBe(0);
  });
});

it('no reminder of a disputed debt is sent, and later ones name the later day', async () => {
  const order = await deliver({ dueAt: '2026-12-10T05:59:59.999Z' });
  const remindersAt = async (moment: string): Promise<object[]> => {
    now = new Date(moment);
    while (await sendNotices(payments.context));
    const rows = await payments.outbox('notify-corner-store');
    return rows
      .map(({ data }) => data as { kind: string; cornerStoreId: string; values: object })
      .filter(({ kind, cornerStoreId }) => {
        return kind === 'payment-due' && cornerStoreId === order.cornerStoreId;
      })
      .map(({ values }) => values);
  };
  // It tells of the delivery.
  await remindersAt('2026-12-04T18:00:00Z');
  const dispute = { disputeId: randomUUID() };
  await tell(order, dispute);
  expect(await remindersAt('2026-12-08T18:00:00Z')).toEqual([]);
  await tell(order, { ...dispute, days: 3 });
  expect(await remindersAt('2026-12-08T19:00:00Z')).toEqual([
    expect.objectContaining({ dueOn: '2026-12-12' }),
  ]);
});
