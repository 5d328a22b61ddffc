import type { EntityManager } from 'typeorm';
import { insertRow, updateRow } from '@fiado/shared/chassis/db/rows';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import {
  lockCreditBalance,
  moveCreditBalance,
  type CreditBalance,
} from '../db/credit-balances.repository';
import { DEFAULTS_BATCH_SIZE, openDefaults } from '../db/defaults.repository';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { lockPaidReceivables, paymentsOf, surplusOf } from '../db/reversals.repository';
import { reversalOf } from '../domain/reversal';
import { countDeposit } from '../metrics';
import { spendCreditBalance } from '../steps/spend-credit-balance';
import { takeBackPayments } from '../steps/take-back-payments';
import { tellDefaultsChanged } from '../steps/tell-defaults-changed';

export interface ReverseDeposit {
  depositId: string;
  reason: string;
  /** Id of the ops credential. */
  decidedBy: string;
}

/**
 * Undoes a deposit by new rows: what it paid is owed again, and its surplus leaves the credit
 * balance. Reversing it again changes nothing.
 * @throws AppError DEPOSIT_NOT_FOUND
 */
export async function reverseDeposit(
  context: Context,
  { depositId, reason, decidedBy }: ReverseDeposit,
): Promise<Deposit> {
  const { reversed, isNew } = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    if (deposit.status === 'reversed') return { reversed: deposit, isNew: false };

    const decision = { depositId, decision: 'reversed', decidedBy, reason };
    await insertRow(tx, 'deposit_decisions', decision);
    await updateRow(tx, 'deposits', depositId, { status: 'reversed' });
    if (deposit.userId !== null) await undoDeposit(context, tx, deposit.userId, depositId);
    return { reversed: { ...deposit, status: 'reversed' as const }, isNew: true };
  });
  if (isNew) countDeposit('reversed');
  context.relay.wake();
  return reversed;
}

async function undoDeposit(
  context: Context,
  tx: EntityManager,
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
  tx: EntityManager,
  { userId, cornerStoreId }: CreditBalance,
): Promise<void> {
  const reopened = await openDefaults(tx, { asOf: null, userId, limit: DEFAULTS_BATCH_SIZE });
  const opened = reopened.map(({ transactionId }) => transactionId);
  await tellDefaultsChanged(tx, [{ cornerStoreId, opened, closed: [] }]);
}
