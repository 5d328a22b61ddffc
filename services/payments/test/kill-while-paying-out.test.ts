import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ops } from '@fiado/chassis/testing/callers';
import type { Call } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { brokenInvariants } from './support/defaults';
import { depositJson, hurryDeposits, oxxo, postDeposit, untilSettled } from './support/deposit';
import { killWhileItAnswers } from './support/kill-payments';
import { ana, payoutCalls, type StoreWithBalance } from './support/payouts';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const { withBalance, payOut, debtsOf, statusesOf } = payoutCalls(payments);

/** A change that is called again after the kill. */
interface Change {
  name: string;
  /** The table that the change writes to last, and always. */
  locked: string;
  prepare: (store: StoreWithBalance) => Promise<(send: Call) => ReturnType<Call>>;
  after: { balance: number; reserved: number; recovery: number };
  /** What the same call is answered once the change is made. */
  again: number;
}

const CHANGES_APART: Change[] = [
  {
    name: 'a payout that waits',
    locked: 'outbox',
    prepare: async ({ cornerStoreId }) => {
      const body = { amount: 300, bankReference: randomUUID(), reason: 'pidió su saldo' };
      return (send) =>
        send(ana, 'POST', `/v1/admin/corner-stores/${cornerStoreId}/payouts`, { body });
    },
    after: { balance: 20_000, reserved: 30_000, recovery: 0 },
    again: 202,
  },
  {
    name: 'a payout that the bank returned',
    locked: 'credit_balance_entries',
    prepare: async (store) => {
      const { payoutId } = (await payOut(store, 300)).body;
      const path = `/v1/admin/corner-stores/${store.cornerStoreId}/payouts/${payoutId}/returned`;
      return (send) => send(ops(), 'POST', path);
    },
    after: { balance: 50_000, reserved: 0, recovery: 0 },
    again: 200,
  },
  {
    name: 'a deposit that pays what is left of a debt',
    locked: 'allocations',
    prepare: async ({ userId, cornerStoreId }) => {
      const order = delivery({ userId, cornerStoreId });
      await deliverTransaction(payments, order);
      const { id_factura: idFactura } = await receivableOf(payments, order);
      const body = depositJson({ idFactura, valor: 558 + 10 });
      return (send) => postDeposit({ ...payments, call: send }, body, oxxo);
    },
    after: { balance: 1_000, reserved: 0, recovery: 0 },
    again: 200,
  },
];

/** Before its last table it writes to those of the others. */
const UNASSIGNMENT: Change = {
  name: 'an unassignment that opens a recovery',
  locked: 'deposit_decisions',
  prepare: async (store) => {
    await payOut(store, 300);
    const body = { reason: 'de otra tienda' };
    return (send) =>
      send(ops(), 'POST', `/v1/admin/deposits/${store.depositId}/unassign`, { body });
  },
  after: { balance: 0, reserved: 0, recovery: 30_000 },
  again: 422,
};

it.each([
  ['before the commit', 'changes that write to different tables last', CHANGES_APART],
  ['before the commit', UNASSIGNMENT.name, [UNASSIGNMENT]],
  ['after the commit', 'all changes', [...CHANGES_APART, UNASSIGNMENT]],
] as const)(
  'payments is killed %s of %s: each is made once, as a whole or not at all',
  async (moment, _what, killed) => {
    const changes = await Promise.all(
      killed.map(async (change) => {
        const store = await withBalance(500);
        return { ...change, store, call: await change.prepare(store) };
      }),
    );
    const seen = () =>
      Promise.all(
        changes.map(async ({ name, store }) => {
          return { name, debts: await debtsOf(store), payouts: await statusesOf(store) };
        }),
      );
    const before = await seen();
    await killWhileItAnswers(payments, {
      moment,
      locked: changes.map(({ locked }) => locked),
      call: (send) => Promise.all(changes.map(({ call }) => call(send))),
      isMade: async () => {
        const now = await seen();
        return now.every(({ debts }, at) => !isDeepStrictEqual(debts, before[at]?.debts));
      },
    });

    if (moment === 'before the commit') {
      expect(await seen()).toEqual(before);
      for (const { name, call } of changes) {
        expect([name, (await call(payments.call)).status < 300]).toEqual([name, true]);
      }
      await hurryDeposits(payments);
      await untilSettled(payments);
    }
    const made = changes.map(({ name, after }) => ({ name, debts: after }));
    for (let times = 0; times < 2; times++) {
      for (const { name, call, again } of changes) {
        expect([name, (await call(payments.call)).status]).toEqual([name, again]);
      }
      expect(await seen()).toMatchObject(made);
    }
    expect(await brokenInvariants(payments)).toEqual([]);
  },
);
