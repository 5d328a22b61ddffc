import type { Transaction } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { requireSandbox } from '@fiado/chassis/service-config';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { owedCentsOf } from '../debts/receivable';
import { distributeDeposit } from '../deposits/apply-deposit';
import { lockDeposit } from '../deposits/deposit';
import { depositHash } from '../deposits/deposit.rules';
import { insertDeposit } from '../deposits/insert-deposits.sql';
import { lockCreditBalance } from '../payouts/credit-balance';
import { sandboxNotice } from './create-sandbox-deposit';
import { endOrders, leftAlone } from './orders';

export const resetSandboxEndpoint = endpoint({
  id: 'resetSandbox',
  as: 'sandbox.reset',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/reset',
  scope: 'transactions:write',
  names: {},
  summary: 'Cancel your open orders and clear your customers’ debts',
  description:
    'Nothing is deleted: orders are cancelled, and debts are paid by deposits of the sandbox. At ' +
    'most a hundred orders in a call: repeat it until `cancelled` and `cleared` are 0. A corner store ' +
    'that is another wholesaler’s customer too is left alone, and named in `skipped`. In ' +
    'production this is a 404.',
  answer: t.object('SandboxReset', {
    cancelled: t.field(t.count, 'Number of orders that were cancelled', 3),
    cleared: t.field(t.count, 'Number of customers whose debts were paid', 1),
    skipped: t.field(leftAlone, 'Corner stores of other wholesalers as well'),
  }),
  input: ({ caller }, { config }: Context) => {
    requireSandbox(config);
    return { wholesalerId: caller.id };
  },
  // Restarts the sandbox of one wholesaler: cancels its open orders, and pays all debts of its customers with deposits
  // that the sandbox makes. Nothing is deleted, and the balances still reconcile.
  handle: async (context: Context, { wholesalerId }) => {
    const { ended, owed, skipped } = await endOrders(context, { wholesalerId });
    let cleared = 0;
    for (const userId of new Set(owed.map((debt) => debt.userId))) {
      const isPaid = await context.db.transaction((tx) => payDebtsOf(context, tx, userId));
      if (isPaid) cleared += 1;
    }
    context.relay.wake();
    return { cancelled: ended, cleared, skipped };
  },
  present: (reset) => ({ ...reset }),
});

/** @returns false when the user owes nothing (any more) */
async function payDebtsOf(context: Context, tx: Transaction, userId: string): Promise<boolean> {
  // Under the lock of its user, a debt cannot be paid twice.
  const balance = await lockCreditBalance(tx, userId);
  const valorCents = await owedCentsOf(tx, userId);
  if (balance === undefined || valorCents === 0) return false;

  const { numeroReferencia } = balance;
  const notice = sandboxNotice(context, { idFactura: '', numeroReferencia, valorCents });
  const bodyHash = depositHash(notice);
  const { id } = await insertDeposit(tx, {
    // Applied in this transaction: it leaves no work.
    deposit: { ...notice, id: newId(), bodyHash, requestId: null, traceparent: null },
    answer: undefined,
  });
  const deposit = await lockDeposit(tx, id);
  if (deposit === null) throw new Error('A deposit that was just stored must be found');
  await distributeDeposit(context, tx, deposit, { userId, receivableId: null });
  return true;
}
