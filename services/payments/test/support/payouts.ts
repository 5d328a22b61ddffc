import { randomUUID } from 'node:crypto';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { ops, service, staffMember } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { payFor } from './defaults';
import { deliverTransaction, delivery } from './receivable';
import type { PaymentsService } from './service';

/** Who asks for payouts: a person, who needs a second one. */
export const ana = staffMember('approver', new Date());

export interface Store {
  cornerStoreId: string;
}
/** A paid order, and the deposit that left a balance. */
export interface StoreWithBalance {
  order: TransactionDelivered;
  cornerStoreId: string;
  userId: string;
  depositId: string;
}

/** What tests do with payouts and recoveries of a running service. */
export function payoutCalls(payments: PaymentsService) {
  const pathOf = ({ cornerStoreId }: Store) => `/v1/admin/corner-stores/${cornerStoreId}/payouts`;
  const debts = async ({ cornerStoreId }: Store) => {
    const path = '/internal/corner-store-debts';
    const body = { cornerStoreId };
    return (await payments.call(service('accounts'), 'POST', path, { body })).body;
  };
  return {
    /** A store that owes nothing, with that much of pesos in its balance. */
    withBalance: async (
      pesos: number,
      user: Partial<TransactionDelivered> = {},
    ): Promise<StoreWithBalance> => {
      const order = delivery(user);
      await deliverTransaction(payments, order);
      await payFor(payments, order, 1058);
      const depositId = await payFor(payments, order, pesos);
      const { cornerStoreId, userId } = order;
      return { order, cornerStoreId, userId, depositId };
    },
    payOut: (
      store: Store,
      amount: unknown,
      { by = ops(), bankReference }: { by?: ReturnType<typeof ops>; bankReference?: unknown } = {},
    ): Promise<Answer> => {
      const reference = bankReference ?? randomUUID();
      const body = { amount, bankReference: reference, reason: 'pidió su saldo' };
      return payments.call(by, 'POST', pathOf(store), { body });
    },
    returned: (store: Store, payoutId: string, by = ops()): Promise<Answer> =>
      payments.call(by, 'POST', `${pathOf(store)}/${payoutId}/returned`),
    /** Takes a deposit back. */
    undo: (depositId: string, how: 'unassign' | 'reverse' = 'reverse'): Promise<Answer> =>
      payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/${how}`, {
        body: { reason: 'devuelto' },
      }),
    /** As accounts tells it. */
    decide: (changeRequestId: string, payoutId: string, isApproved: boolean): Promise<void> =>
      payments.handle(
        CHANGE_JOBS.payout.decided,
        { id: changeRequestId, version: 1 },
        { changeRequestId, payoutId, isApproved },
      ),
    /** When accounts reads that money of the store last moved. */
    lastMoneyOf: async (store: Store): Promise<string> => (await debts(store)).lastMoneyAt,
    /** In cents, as accounts reads them. */
    debtsOf: async (store: Store) => {
      const { creditBalanceCents, reservedCents, recoveryCents } = await debts(store);
      return { balance: creditBalanceCents, reserved: reservedCents, recovery: recoveryCents };
    },
    statusesOf: async (store: Store): Promise<string[]> => {
      const { body } = await payments.call(ops(), 'GET', pathOf(store));
      return body.payouts.map(({ status }: { status: string }) => status);
    },
  };
}
