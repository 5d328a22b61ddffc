import { randomUUID } from 'node:crypto';
import { createRetention } from '@fiado/chassis/db/retention';
import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { transactionCredited } from '@fiado/contracts/jobs/debts';
import { oppositionChanged } from '@fiado/contracts/jobs/privacy';
import { forAllTests } from '../../../test/support/for-all-tests';
import { paymentsService } from '../src/service';
import { detectDefaults } from '../src/defaults/detect-defaults';
import { sendNotices } from '../src/notices/send-notices';
import { payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

let now = new Date('2026-11-24T18:00:00Z');
const payments = forAllTests(() => startPayments({ clock: { now: () => now } }));

interface Sent {
  kind: string;
  subjectId: string;
  cornerStoreId: string;
  wholesalerId?: string;
  values: Record<string, unknown>;
  expiresAt: string;
}
const sent = async (): Promise<Sent[]> => {
  const rows = await payments.outbox('notify-corner-store');
  return rows.map(({ data }) => data as unknown as Sent);
};
const sentTo = async ({ cornerStoreId }: { cornerStoreId: string }) =>
  (await sent()).filter((one) => one.cornerStoreId === cornerStoreId);
const kindsTo = async (order: { cornerStoreId: string }) =>
  (await sentTo(order)).map(({ kind }) => kind);
async function roundAt(moment: string | Date): Promise<void> {
  now = new Date(moment);
  while (await sendNotices(payments.context));
}
const deliverAt = async (moment: string, changes: Parameters<typeof delivery>[0] = {}) => {
  now = new Date(moment);
  const order = delivery({ dueAt: '2026-12-10T05:59:59.999Z', ...changes });
  await deliverTransaction(payments, order);
  return order;
};

describe('a notice', () => {
  it('of a delivery tells total, day and reference once, also after many rounds at the same time', async () => {
    const order = await deliverAt('2026-11-24T18:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => sendNotices(payments.context)));
    await roundAt('2026-11-24T18:01:00Z');

    const { numero_referencia: reference } = await receivableOf(payments, order);
    expect(await sentTo(order)).toEqual([
      {
        kind: 'delivered',
        subjectId: order.transactionId,
        cornerStoreId: order.cornerStoreId,
        wholesalerId: order.wholesalerId,
        values: { totalCents: 105_800, dueOn: '2026-12-09', reference },
        expiresAt: '2026-11-25T02:00:00.000Z',
      },
    ]);
  });

  it('of a delivery at night waits for 9 o’clock of the store’s zone, and is not sent when it was paid', async () => {
    const night = '2026-11-25T04:00:00Z';
    const [order, paid] = [await deliverAt(night), await deliverAt(night)];
    await payFor(payments, paid, 1058);
    await roundAt('2026-11-25T14:59:00Z');
    expect(await kindsTo(order)).toEqual([]);
    await roundAt('2026-11-25T15:00:00Z');
    expect(await kindsTo(order)).toEqual(['delivered']);
    expect(await kindsTo(paid)).toEqual(['payment-received']);
  });

  it('that cannot be made waits, and the others of its round are sent', async () => {
    const [broken, order] = [
      await deliverAt('2026-11-24T18:00:00Z'),
      await deliverAt('2026-11-24T18:00:00Z'),
    ];
    const setZone = (zone: string) =>
      payments.rows(
        `INSERT INTO store_time_zones (corner_store_id, time_zone, version) VALUES ($1, $2, 2)
         ON CONFLICT (corner_store_id) DO UPDATE SET time_zone = excluded.time_zone`,
        [broken.cornerStoreId, zone],
      );
    // A zone that the tables of this Node.js do not have.
    await setZone('America/Nowhere');
    await roundAt('2026-11-24T18:01:00Z');
    expect([await kindsTo(broken), await kindsTo(order)]).toEqual([[], ['delivered']]);

    await setZone('America/Cancun');
    await roundAt('2026-11-24T18:59:00Z');
    expect(await kindsTo(broken)).toEqual([]);
    await roundAt('2026-11-24T19:01:00Z');
    expect(await kindsTo(broken)).toEqual(['delivered']);
  });

  it('of a payment tells what is left, and nothing once it is reversed', async () => {
    const [order, wrong] = [
      await deliverAt('2026-11-24T18:00:00Z'),
      await deliverAt('2026-11-24T18:00:00Z'),
    ];
    await payFor(payments, order, 500);
    await reverse(payments, await payFor(payments, wrong, 500));
    await roundAt('2026-11-24T18:01:00Z');
    expect((await sentTo(order)).find(({ kind }) => kind === 'payment-received')?.values).toEqual({
      amountCents: 50_000,
      leftCents: 55_800,
    });
    expect(await kindsTo(wrong)).toEqual(['delivered']);
  });

  it('of a reversal or an unassignment tells a store that knew of the payment what it owes again', async () => {
    const [order, other] = [
      await deliverAt('2026-11-24T18:00:00Z'),
      await deliverAt('2026-11-24T18:00:00Z'),
    ];
    const depositId = await payFor(payments, order, 1058);
    const decide = (decision: string, body: object) =>
      payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/${decision}`, { body });
    await roundAt('2026-11-24T18:01:00Z');
    await decide('unassign', { reason: 'de otra tienda' });
    await Promise.all(Array.from({ length: 5 }, () => sendNotices(payments.context)));
    const { numero_referencia: reference } = await receivableOf(payments, order);
    expect(await sentTo(order)).toMatchObject([
      { kind: 'payment-received', values: { amountCents: 105_800, leftCents: 0 } },
      {
        kind: 'payment-reversed',
        subjectId: depositId,
        values: { amountCents: 105_800, leftCents: 105_800, reference },
      },
    ]);

    // The other store is never told of money that it did not keep until the round.
    await decide('assign', { cornerStoreId: other.cornerStoreId });
    await decide('unassign', { reason: 'tampoco' });
    await decide('assign', { cornerStoreId: order.cornerStoreId });
    await roundAt('2026-11-24T18:02:00Z');
    expect(await kindsTo(other)).toEqual(['delivered']);
    expect((await kindsTo(order)).slice(2)).toEqual(['payment-received']);
    await decide('reverse', { reason: 'devuelto' });
    await roundAt('2026-11-25T18:02:00Z');
    expect((await kindsTo(order)).slice(3)).toEqual(['payment-reversed']);
  });

  it('of a credit note tells what it takes off, and what the store still owes', async () => {
    const order = await deliverAt('2026-11-24T18:00:00Z');
    const { transactionId, wholesalerId, cornerStoreId } = order;
    const creditNoteId = randomUUID();
    const amounts = { principalCents: 40_000, interestCents: 2_000, ivaCents: 320 };
    await payments.deliver(
      transactionCredited,
      { id: creditNoteId, version: 1 },
      { creditNoteId, transactionId, wholesalerId, ...amounts },
    );
    await roundAt('2026-11-24T18:01:00Z');
    expect(await sentTo(order)).toMatchObject([
      { kind: 'delivered', values: { totalCents: 63_480 } },
      {
        kind: 'order-credited',
        subjectId: transactionId,
        cornerStoreId,
        wholesalerId,
        values: { amountCents: 42_320, leftCents: 63_480 },
      },
    ]);
  });

  it('of an unassignment is not sent to a store that has the money again before the round', async () => {
    const order = await deliverAt('2026-11-24T18:00:00Z');
    const depositId = await payFor(payments, order, 1058);
    await roundAt('2026-11-24T18:01:00Z');
    for (const [decision, body] of [
      ['unassign', { reason: 'de otra tienda' }],
      ['assign', { cornerStoreId: order.cornerStoreId }],
    ] as const) {
      await payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/${decision}`, { body });
    }
    await roundAt('2026-11-24T18:02:00Z');
    expect(await kindsTo(order)).toEqual(['payment-received', 'payment-received']);
  });

  it('is one of four at most that a store gets in a day', async () => {
    const { cornerStoreId, userId } = await deliverAt('2026-11-24T18:00:00Z');
    for (let i = 0; i < 4; i += 1) {
      await deliverAt('2026-11-24T18:00:00Z', { cornerStoreId, userId });
    }
    await roundAt('2026-11-24T18:01:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(4);
    await roundAt('2026-11-25T14:59:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(4);
    await roundAt('2026-11-25T18:02:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(5);
  });
});

it('a notice is deleted 90 days after it was sent, and its debt, still unpaid, is not told again', async () => {
  const order = await deliverAt('2026-11-24T18:00:00Z');
  for (const day of ['2026-11-24', '2026-12-07', '2026-12-11']) {
    now = new Date(`${day}T18:00:00Z`);
    await detectDefaults(payments.context, { asOf: now });
    await roundAt(now);
  }
  const kinds = ['delivered', 'payment-due', 'payment-overdue'];
  expect(await kindsTo(order)).toEqual(kinds);

  const kept = async () =>
    payments.rows('SELECT FROM notices WHERE corner_store_id = $1', [order.cornerStoreId]);
  await payments.rows(
    `UPDATE notices SET decided_at = now() - interval '89 days' WHERE corner_store_id = $1`,
    [order.cornerStoreId],
  );
  const { db, log } = payments.context;
  const retention = () => createRetention(db, log, paymentsService.growingTables);
  const first = retention();
  first.start();
  await first.stop();
  expect(await kept()).toHaveLength(3);
  await payments.rows(
    `UPDATE notices SET decided_at = now() - interval '91 days' WHERE corner_store_id = $1`,
    [order.cornerStoreId],
  );
  const again = retention();
  again.start();
  await until('they are deleted', async () => (await kept()).length === 0);
  await again.stop();
  // The last one was sent on 11 December: 90 days later it is March.
  await roundAt('2027-03-11T18:00:00Z');
  expect(await kindsTo(order)).toEqual(kinds);
});

it('an owner who opposes gets no reminder before a debt is due, and still hears of a delivery and of an overdue debt', async () => {
  const order = await deliverAt('2026-11-24T18:00:00Z');
  const { cornerStoreId } = order;
  const oppose = (opposes: boolean, version: number) =>
    payments.deliver(oppositionChanged, { id: cornerStoreId, version }, { cornerStoreId, opposes });
  await oppose(true, 2);
  // An older word arrives late.
  await oppose(false, 1);
  await detectAndSend(['2026-11-24', '2026-12-07', '2026-12-11']);
  expect(await kindsTo(order)).toEqual(['delivered', 'payment-overdue']);

  await oppose(false, 3);
  const next = await deliverAt('2026-12-11T18:00:00Z', {
    cornerStoreId,
    userId: order.userId,
    dueAt: '2026-12-20T05:59:59.999Z',
  });
  await detectAndSend(['2026-12-12', '2026-12-18']);
  expect(
    (await sentTo(order))
      .filter(({ subjectId }) => subjectId === next.transactionId)
      .map(({ kind }) => kind),
  ).toEqual(['delivered', 'payment-due']);
});

async function detectAndSend(days: string[]): Promise<void> {
  for (const day of days) {
    now = new Date(`${day}T18:00:00Z`);
    await detectDefaults(payments.context, { asOf: now });
    await roundAt(now);
  }
}
