import { ops } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { brokenInvariants, payFor } from './support/defaults';
import { deposit } from './support/deposit';
import { ana, payoutCalls } from './support/payouts';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);
afterEach(async () => {
  expect(await brokenInvariants(payments)).toEqual([]);
});

const { withBalance, payOut, returned, undo, decide, debtsOf, statusesOf } = payoutCalls(payments);

describe('money that is taken back after it was paid out', () => {
  it.each(['unassign', 'reverse'] as const)(
    '%s: the store owes it, next deposits pay it, and a returned payout does',
    async (how) => {
      const store = await withBalance(500);
      const { payoutId } = (await payOut(store, 450)).body;
      expect((await undo(store.depositId, how)).status).toBe(200);
      expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 0, recovery: 45_000 });
      expect((await payOut(store, 1)).status).toBe(422);

      await payFor(payments, store.order, 200);
      expect(await debtsOf(store)).toMatchObject({ balance: 0, recovery: 25_000 });
      await returned(store, payoutId);
      expect(await debtsOf(store)).toMatchObject({ balance: 20_000, recovery: 0 });
    },
  );

  it('is owed in the order of the due dates: before a later debt, after an earlier one', async () => {
    const store = await withBalance(500);
    const { userId, cornerStoreId } = store;
    await payOut(store, 500);
    await undo(store.depositId);
    const user = { userId, cornerStoreId, principalCents: 94_200 };
    const late = delivery({ ...user, dueAt: '2099-01-01T00:00:00Z' });
    const early = delivery({ ...user, dueAt: '2020-01-01T00:00:00Z' });
    for (const order of [late, early]) await deliverTransaction(payments, order);
    const { numero_referencia: numeroReferencia } = await receivableOf(payments, early);
    await deposit(payments, { numeroReferencia, valor: 1200 });
    expect((await receivableOf(payments, early)).paid).toBe(true);
    expect(await debtsOf(store)).toMatchObject({ recovery: 30_000 });
    await deposit(payments, { numeroReferencia, valor: 400 });
    expect(await debtsOf(store)).toMatchObject({ recovery: 0 });
    expect((await receivableOf(payments, late)).outstanding).toEqual([0, 0, 90_000]);
  });

  it('is owed again when the deposit that had paid it is taken back too', async () => {
    const store = await withBalance(500);
    await payOut(store, 500);
    await undo(store.depositId);
    const second = await payFor(payments, store.order, 700);
    expect(await debtsOf(store)).toEqual({ balance: 20_000, reserved: 0, recovery: 0 });
    await payOut(store, 200);
    await undo(second, 'unassign');
    expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 0, recovery: 70_000 });
    const path = `/v1/admin/deposits/${second}/assign`;
    const { cornerStoreId } = store;
    await payments.call(ops(), 'POST', path, { body: { cornerStoreId } });
    expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 0, recovery: 0 });
  });

  it('comes from a payout that waits, which cannot be approved any more', async () => {
    const store = await withBalance(500);
    const [kept, cancelled] = [
      (await payOut(store, 100, { by: ana })).body.changeRequestId,
      (await payOut(store, 350, { by: ana })).body.changeRequestId,
    ];
    await payFor(payments, store.order, 100);
    await undo(store.depositId);
    expect(await statusesOf(store)).toEqual(['cancelled', 'requested']);
    expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 10_000, recovery: 0 });
    await decide(cancelled, cancelled, true);
    await decide(kept, kept, true);
    const results = await payments.outbox('deposit-change.executed');
    expect(results.slice(-2).map(({ data }) => data)).toEqual([
      { changeRequestId: cancelled, failure: 'CHANGE_TARGET_CHANGED' },
      { changeRequestId: kept },
    ]);
    expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 0, recovery: 0 });
  });

  it('was spent in part by a later debt: that is owed, and the rest as a recovery', async () => {
    const store = await withBalance(1500);
    const { userId, cornerStoreId } = store;
    const later = delivery({ userId, cornerStoreId });
    await deliverTransaction(payments, later);
    await payOut(store, 442);
    await undo(store.depositId, 'unassign');
    expect((await receivableOf(payments, later)).outstanding).toEqual([5_000, 800, 100_000]);
    expect(await debtsOf(store)).toEqual({ balance: 0, reserved: 0, recovery: 44_200 });
  });
});

/** All wait for one store's row. On a busy machine a long line of them outlasts the time for a lock. */
const AT_ONCE = 4;

it('payouts, returns, unassignments, assignments and deliveries keep every sum', async () => {
  const store = await withBalance(500);
  const { userId, cornerStoreId } = store;
  const ids = [store.depositId];
  for (let i = 0; i < 3; i += 1) ids.push(await payFor(payments, store.order, 300));
  const first = (await payOut(store, 200)).body.payoutId;
  const waiting = (await payOut(store, 200, { by: ana })).body.changeRequestId;
  const orders = [store.order];
  const answers = await inFlight<Answer | void>(
    [
      ...ids.map((id) => () => undo(id, 'unassign')),
      ...ids.map(
        (id) => () =>
          payments.call(ops(), 'POST', `/v1/admin/deposits/${id}/assign`, {
            body: { cornerStoreId },
          }),
      ),
      ...ids.map((id) => () => undo(id, id === ids[0] ? 'reverse' : 'unassign')),
      () => decide(waiting, waiting, true),
      () => returned(store, first),
      ...Array.from({ length: 4 }, () => () => payOut(store, 150)),
      ...Array.from({ length: 3 }, () => async () => {
        const order = delivery({ userId, cornerStoreId, principalCents: 10_000 });
        orders.push(order);
        await deliverTransaction(payments, order);
      }),
    ],
    AT_ONCE,
  );
  for (const answer of answers) expect([200, 201, 422]).toContain(answer?.status ?? 200);
  const [sums] = await payments.rows<{ moneyCents: number }>(
    `SELECT (SELECT coalesce(sum(valor_cents), 0) FROM deposits
                WHERE user_id = $1 AND status = 'applied')
              - (SELECT coalesce(sum(amount_cents), 0) FROM payouts
                  WHERE user_id = $1 AND status IN ('requested', 'paid')) AS "moneyCents"`,
    [userId],
  );
  const rows = await Promise.all(orders.map((order) => receivableOf(payments, order)));
  const owedCents = rows.flatMap((row) => row.outstanding).reduce((sum, one) => sum + one, 0);
  const { balance, recovery } = await debtsOf(store);
  const debtCents = 105_800 + 3 * 15_800;
  expect(balance - recovery - owedCents).toBe(Number(sums?.moneyCents) - debtCents);
});
