import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { Call } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { brokenInvariants } from './support/defaults';
import { killWhileItAnswers } from './support/kill-payments';
import { ana, payoutCalls, type StoreWithBalance } from './support/payouts';
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

const CHANGES: Change[] = [
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
  },
];

describe.each(CHANGES)('payments is killed during $name', ({ locked, prepare, after, again }) => {
  it.each(['before the commit', 'after the commit'] as const)(
    '%s: it is made once, as a whole or not at all',
    async (moment) => {
      const store = await withBalance(500);
      const call = await prepare(store);
      const before = { debts: await debtsOf(store), payouts: await statusesOf(store) };
      const isMade = async () =>
        JSON.stringify(await debtsOf(store)) !== JSON.stringify(before.debts);
      await killWhileItAnswers(payments, { moment, locked, call, isMade });

      if (moment === 'before the commit') {
        expect({ debts: await debtsOf(store), payouts: await statusesOf(store) }).toEqual(before);
        expect((await call(payments.call)).status).toBeLessThan(300);
      }
      for (let times = 0; times < 2; times++) {
        expect((await call(payments.call)).status).toBe(again);
        expect(await debtsOf(store)).toEqual(after);
      }
      expect(await brokenInvariants(payments)).toEqual([]);
    },
  );
});
