import type { Transaction } from '@fiado/shared/chassis/db/database';
import { insertRow, updateRow } from '@fiado/shared/chassis/db/rows';
import type { Context } from '../context';
import {
  lockCreditBalance,
  moveCreditBalance,
  type CreditBalance,
} from '../db/credit-balances.repository';
import { DEFAULTS_BATCH_SIZE, openDefaults } from '../db/defaults.repository';
import type { Deposit } from '../db/deposit';
import { lockPaidReceivables, paymentsOf, surplusOf } from '../db/reversals.repository';
import { reversalOf } from '../domain/reversal';
import { spendCreditBalance } from './spend-credit-balance';
import { takeBackPayments } from './take-back-payments';
import { tellDefaultsChanged } from './tell-defaults-changed';

/**
 * Undoes a locked deposit that is not reversed, by new rows: what it paid is owed again, and its
 * surplus leaves the credit balance.
 * @param decision with the id of the ops credential or the person
 */
export async function reverseLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { reason, decidedBy }: { reason: string; decidedBy: string },
): Promise<Deposit> {
  const { id: depositId, userId } = deposit;
  const decision = { depositId, decision: 'reversed', decidedBy, reason };
  await insertRow(tx, 'deposit_decisions', decision);
  await updateRow(tx, 'deposits', depositId, { status: 'reversed' });
  if (userId !== null) await undoDeposit(context, tx, userId, depositId);
  return { ...deposit, status: 'reversed' };
}

async function undoDeposit(
  context: Context,
  tx: Transaction,
  userId: string,
  depositId: string,
): Promise<void> {
  const balance = await lockCreditBalance(tx, userId);
  const receivables = await lockPaidReceivables(tx, userId, depositId);
  const payments = await paymentsOf(tx, userId, depositId);
  const surplusCents = await surplusOf(tx, userId, depositId);

  const { takenBack, returnedCents } = reversalOf(
    {
      payments: payments.filter((payment) => payment.depositId !== null),
      surplusCents,
      spendings: payments.filter((payment) => payment.depositId === null),
    },
    balance?.balanceCents ?? 0,
  );
  await takeBackPayments(context, tx, receivables, takenBack);

  // Credit first, then debit, so that the balance is never below zero.
  if (returnedCents > 0) {
    await moveCreditBalance(tx, userId, {
      cause: 'returned',
      depositId: null,
      cents: returnedCents,
    });
  }
  if (surplusCents > 0) {
    await moveCreditBalance(tx, userId, { cause: 'reversal', depositId, cents: -surplusCents });
  }
  // The surplus of another deposit may pay the restored debt: no user has both debt and a credit
  // balance.
  const remaining = await lockCreditBalance(tx, userId);
  if (remaining === undefined)
    throw new Error('A deposit with a user was applied to a credit balance');
  await spendCreditBalance(context, tx, remaining);
  await reopenDefaults(tx, remaining);
}

/** A restored debt that is past due gets a new default. */
async function reopenDefaults(
  tx: Transaction,
  { userId, cornerStoreId }: CreditBalance,
): Promise<void> {
  const reopened = await openDefaults(tx, { asOf: null, userId, limit: DEFAULTS_BATCH_SIZE });
  const opened = reopened.map(({ transactionId }) => transactionId);
  await tellDefaultsChanged(tx, [{ cornerStoreId, opened, closed: [] }]);
}
