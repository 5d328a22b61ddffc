import { randomUUID } from 'node:crypto';
import {
  creditNotesSettled,
  type TransactionDelivered,
  transactionCredited,
} from '@fiado/contracts/jobs/debts';
import { ops } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { paymentsService } from '../src/service';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  brokenInvariants,
  defaultsOf,
  deliverOverdue,
  detect,
  payFor,
  reverse,
  toldOf,
} from './support/defaults';
import { deposit } from './support/deposit';
import { payoutCalls } from './support/payouts';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

// Before the service stops: hooks run in their order.
afterAll(async () => {
  expect(await brokenInvariants(payments)).toEqual([]);
});
const payments = forAllTests(startPayments);

async function delivered(changes: Parameters<typeof delivery>[0] = {}) {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  return order;
}

const ownerOf = ({ cornerStoreId, userId }: TransactionDelivered) => ({ cornerStoreId, userId });

/** A deposit by the store's own reference, whatever it owes. */
async function depositFor(order: TransactionDelivered, valor: number): Promise<void> {
  const { numero_referencia: numeroReferencia } = await receivableOf(payments, order);
  await deposit(payments, { numeroReferencia, valor });
}

/** A share of a delivery of 1,000 pesos with 5% interests. */
const partsOf = (percent: number) => ({
  principalCents: 1_000 * percent,
  interestCents: 50 * percent,
  ivaCents: 8 * percent,
});

/** As transactions tells it. @returns the id of the credit note */
async function credit(
  order: TransactionDelivered,
  percent: number,
  creditNoteId: string = randomUUID(),
  messageId: string = randomUUID(),
): Promise<string> {
  const { transactionId, wholesalerId } = order;
  const note = { creditNoteId, transactionId, wholesalerId, ...partsOf(percent) };
  await payments.handle(transactionCredited, { id: creditNoteId, version: 1 }, note, messageId);
  return creditNoteId;
}

/** As transactions tells it. */
const settle = (creditNoteIds: string[]) =>
  payments.handle(
    creditNotesSettled,
    { id: randomUUID(), version: 1 },
    { creditNoteIds, settledAt: new Date().toISOString() },
  );

async function newsOf({ transactionId }: TransactionDelivered) {
  const rows = await payments.outbox('receivable.credited');
  return rows
    .map(({ aggregate_version: version, data }) => ({
      version,
      ...(data as { transactionId: string }),
    }))
    .filter((news) => news.transactionId === transactionId);
}

it('a credit note lowers an open debt, once', async () => {
  const order = await delivered();
  const creditNoteId = await credit(order, 40);
  await credit(order, 40, creditNoteId);

  expect(await receivableOf(payments, order)).toMatchObject({
    outstanding: [3_000, 480, 60_000],
    paid: false,
    version: 2,
  });
  expect(await newsOf(order)).toEqual([
    {
      version: 2,
      creditNoteId,
      transactionId: order.transactionId,
      cornerStoreId: order.cornerStoreId,
      outstandingCents: 63_480,
      outstandingPrincipalCents: 60_000,
      paidAt: null,
    },
  ]);
  const { body } = await payments.call(
    ops(),
    'GET',
    `/v1/admin/receivables/${(await receivableOf(payments, order)).id}`,
  );
  expect(body).toMatchObject({ amountDue: 634.8, amountPaid: 0, amountCredited: 423.2 });
  expect(body.entries).toMatchObject([
    { cause: 'opened', amount: 1058 },
    { cause: 'credit', creditNoteId, allocationId: null, amount: -423.2 },
  ]);
});

it('the rest is paid, and then the debt is settled', async () => {
  const order = await delivered();
  await credit(order, 40);
  await payFor(payments, order, 634.8);
  expect(await receivableOf(payments, order)).toMatchObject({ paid: true });
  expect(await balanceOf(payments, order)).toBe(0);
});

it('the money of a paid order pays the next debt of the store, and the rest is its credit balance', async () => {
  const order = await delivered();
  const depositId = await payFor(payments, order, 1058);
  const { cornerStoreId, userId } = order;
  const next = await delivered({ cornerStoreId, userId, principalCents: 20_000 });
  await credit(order, 100);

  expect(await receivableOf(payments, order)).toMatchObject({ outstanding: [0, 0, 0], paid: true });
  expect(await receivableOf(payments, next)).toMatchObject({ outstanding: [0, 0, 0], paid: true });
  expect(await balanceOf(payments, order)).toBe(105_800 - 25_800);
  const { body } = await payments.call(ops(), 'GET', `/v1/admin/deposits/${depositId}`);
  expect(body).toMatchObject({
    status: 'applied',
    surplus: 1058,
    allocations: [{ amount: 1058, amountReversed: 1058 }],
  });
  // The version of its last row: transactions ignores what is older.
  const { version } = await receivableOf(payments, order);
  expect(await newsOf(order)).toMatchObject([{ version, outstandingCents: 0 }]);
});

it('interests that were paid too much pay the goods of the same debt first', async () => {
  const order = await delivered({ dueAt: '2026-12-20T05:59:59.999Z' });
  const { cornerStoreId, userId } = order;
  await payFor(payments, order, 158);
  const older = await delivered({ cornerStoreId, userId });
  await credit(order, 50);

  // Of 58 pesos of interests and IVA half is left: the other half pays principal.
  expect((await receivableOf(payments, order)).outstanding).toEqual([0, 0, 50_000 - 12_900]);
  expect((await receivableOf(payments, older)).outstanding).toEqual([5_000, 800, 100_000]);
  expect(await balanceOf(payments, order)).toBe(0);
});

it('the newest payment is taken back first, and money of the credit balance returns to it', async () => {
  const first = await delivered();
  const { cornerStoreId, userId } = first;
  const oldest = await payFor(payments, first, 1558);
  const order = await delivered({ cornerStoreId, userId });
  const newest = await payFor(payments, order, 558);
  await credit(order, 50);

  const surplusOf = async (depositId: string): Promise<number> =>
    (await payments.call(ops(), 'GET', `/v1/admin/deposits/${depositId}`)).body.surplus;
  // Its interests and IVA were paid from the balance, its goods by both.
  expect([await surplusOf(oldest), await surplusOf(newest)]).toEqual([500, 500]);
  expect(await balanceOf(payments, order)).toBe(52_900);
});

it('a reversed deposit leaves what was credited credited', async () => {
  const order = await delivered();
  const depositId = await payFor(payments, order, 1058);
  await credit(order, 30);
  expect(await balanceOf(payments, order)).toBe(31_740);
  await reverse(payments, depositId);
  expect(await balanceOf(payments, order)).toBe(0);
  expect(await receivableOf(payments, order)).toMatchObject({
    outstanding: [3_500, 560, 70_000],
    paid: false,
  });
});

it('a default ends when nothing is owed any more', async () => {
  const order = await deliverOverdue(payments);
  await detect(payments);
  await credit(order, 60);
  expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: false }]);
  await credit(order, 40);
  expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: true }]);
  expect((await toldOf(payments, order)).at(-1)).toMatchObject({
    overdueCount: 0,
    closed: [order.transactionId],
  });
  expect((await newsOf(order)).at(-1)).toMatchObject({
    outstandingCents: 0,
    paidAt: expect.any(String),
  });
});

it('a payment and a credit note at the same time leave one balance', async () => {
  const order = await delivered();
  await Promise.all([payFor(payments, order, 1058), credit(order, 50)]);
  expect(await receivableOf(payments, order)).toMatchObject({ outstanding: [0, 0, 0], paid: true });
  expect(await balanceOf(payments, order)).toBe(52_900);
});

it('credit notes of one order at the same time are all booked', async () => {
  const order = await delivered();
  await payFor(payments, order, 500);
  await Promise.all(Array.from({ length: 10 }, () => credit(order, 10)));
  expect(await receivableOf(payments, order)).toMatchObject({ outstanding: [0, 0, 0], paid: true });
  expect(await balanceOf(payments, order)).toBe(50_000);
});

it('a payment that a credit note takes back is an event, and shows the lower amount', async () => {
  const order = await delivered();
  await payFor(payments, order, 1058);
  await switchEvents(payments, order.wholesalerId);
  await credit(order, 25);
  expect(
    await eventsOf(payments, paymentsService.events?.(payments.context.config), order.wholesalerId),
  ).toMatchObject([
    { type: 'payment.reversed', data: { amountDue: 0, amountPaid: 793.5, status: 'paid' } },
  ]);
});

it('money that a credit note gave back is paid out once the note is settled', async () => {
  const { payOut } = payoutCalls(payments);
  const order = await delivered();
  await payFor(payments, order, 1258);
  const creditNoteId = await credit(order, 50);
  expect(await balanceOf(payments, order)).toBe(72_900);
  expect(await payOut(order, 200.01)).toMatchObject({
    status: 422,
    body: { errorCode: 'PAYOUT_AMOUNT_NOT_ALLOWED' },
  });
  expect((await payOut(order, 200)).status).toBe(201);

  await settle([creditNoteId]);
  await settle([creditNoteId]);
  expect((await payOut(order, 529)).status).toBe(201);
});

it('a debt uses money that is held, and a note that is settled before it is booked holds none', async () => {
  const { payOut } = payoutCalls(payments);
  const order = await delivered();
  await payFor(payments, order, 1058);
  await credit(order, 50);
  const { cornerStoreId, userId } = order;
  const next = await delivered({ cornerStoreId, userId });
  expect(await receivableOf(payments, next)).toMatchObject({ outstanding: [0, 0, 52_900] });

  const paid = await delivered();
  await payFor(payments, paid, 1058);
  const early = randomUUID();
  await settle([early]);
  await credit(paid, 50, early);
  expect((await payOut(paid, 529)).status).toBe(201);
});

describe('money that a note gave is held wherever it goes:', () => {
  const { payOut, returned } = payoutCalls(payments);
  /** Whether a payout of all that, or a cent more, is refused. */
  const allows = async (store: { cornerStoreId: string }, pesos: number): Promise<void> => {
    expect((await payOut(store, pesos + 0.01)).status).toBe(422);
    if (pesos > 0) expect((await payOut(store, pesos)).status).toBe(201);
  };

  it('through a debt that it paid, until each note that gave it is settled', async () => {
    const first = await delivered();
    await payFor(payments, first, 1058);
    const second = await delivered({ ...ownerOf(first), wholesalerId: randomUUID() });
    const note = await credit(first, 100);
    expect(await receivableOf(payments, second)).toMatchObject({ paid: true });
    const other = await credit(second, 100);
    expect(await balanceOf(payments, first)).toBe(105_800);

    await settle([other]);
    await allows(first, 0);
    await settle([note]);
    await allows(first, 1058);
  });

  it('a debt that used it frees what the store pays later', async () => {
    const order = await delivered();
    await payFor(payments, order, 1058);
    await credit(order, 100);
    const next = await delivered(ownerOf(order));
    expect(await receivableOf(payments, next)).toMatchObject({ paid: true });
    await depositFor(order, 70);
    await allows(order, 70);
  });

  it('a reversed deposit takes its own money out of what is held', async () => {
    const order = await delivered();
    const depositId = await payFor(payments, order, 1058);
    await credit(order, 100);
    await reverse(payments, depositId);
    expect(await balanceOf(payments, order)).toBe(0);
    await depositFor(order, 70);
    await allows(order, 70);
  });

  it('an unassigned deposit leaves the money of others held', async () => {
    const order = await delivered();
    await payFor(payments, order, 1058);
    const surplus = await payFor(payments, order, 300);
    await credit(order, 50);
    await reverse(payments, surplus);
    expect(await balanceOf(payments, order)).toBe(52_900);
    await allows(order, 0);
  });

  it('a debt uses what is free first, and gives back what was held when its payment is undone', async () => {
    const order = await delivered();
    await payFor(payments, order, 1058);
    await credit(order, 100);
    const free = await payFor(payments, order, 500);
    const next = await delivered(ownerOf(order));
    expect(await balanceOf(payments, order)).toBe(50_000);
    // The debt used 500 pesos that were free, and 558 that were held.
    await allows(order, 0);
    await reverse(payments, free);
    expect(await balanceOf(payments, order)).toBe(0);
    await credit(next, 100);
    await allows(order, 0);
  });

  it('a payout that came back is free', async () => {
    const order = await delivered();
    await payFor(payments, order, 1158);
    const { body } = await payOut(order, 100);
    await credit(order, 50);
    await returned(order, body.payoutId);
    await allows(order, 100);
  });

  it('a recovery that used it frees what the store pays later', async () => {
    // A recovery is due when it opens, before this debt, which the reversal opens again.
    const order = await delivered({ dueAt: '2999-12-05T05:59:59.999Z' });
    const surplus = await payFor(payments, order, 1158);
    expect((await payOut(order, 100)).status).toBe(201);
    const next = await delivered(ownerOf(order));
    await payFor(payments, next, 1058);
    await reverse(payments, surplus);
    const { debtsOf } = payoutCalls(payments);
    expect(await debtsOf(order)).toMatchObject({ recovery: 10_000 });
    await credit(next, 10);
    expect(await debtsOf(order)).toMatchObject({ recovery: 0 });
  });

  it('what a process of the release before held in a balance is followed from there on', async () => {
    const order = await delivered();
    await payFor(payments, order, 1058);
    await credit(order, 50);
    await payments.rows('DELETE FROM held_money WHERE user_id = $1', [order.userId]);
    await payments.rows('UPDATE held_credits SET is_followed = false WHERE user_id = $1', [
      order.userId,
    ]);
    await allows(order, 0);
    await delivered(ownerOf(order));
    await depositFor(order, 529 + 70);
    await allows(order, 70);
  });
});
