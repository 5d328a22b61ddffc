import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { paymentReversed } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import { type Parts, type Payment, plus, reversalOf, sumOf } from '../debts/allocation.rules';
import {
  lockReceivables,
  paymentsOfBalance,
  paymentsOfDeposit,
  type ReversalRow,
  writeReversals,
} from '../debts/ledger.sql';
import { spendCreditBalance } from '../debts/pay-receivables';
import { DEFAULTS_BATCH_SIZE, openDefaults, publishDefaults } from '../defaults/open-defaults';
import { dropPaymentNotice, insertNotice } from '../notices/notices.sql';
import {
  type CreditBalance,
  lockCreditBalance,
  moveCreditBalance,
  surplusOf,
} from '../payouts/credit-balance';
import { undoHeld } from '../payouts/held-credits';
import { cancelPayout, type Payout } from '../payouts/payout';
import { openRecovery, takeBackFromRecoveries } from '../payouts/recoveries.sql';
import type { Deposit } from './deposit';

/**
 * Takes back all that a locked deposit paid, by new rows: its debts are owed again, its surplus
 * leaves the credit balance, and the store gets an SMS. The store owes the part that was paid out
 * as a recovery.
 * @param deposit as it was applied
 * @param cause why the surplus leaves the balance
 * @returns the corner store that loses the money
 */
export async function undoDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit & { userId: string },
  cause: 'reversal' | 'unassigned',
): Promise<CreditBalance> {
  const { id: depositId, userId, unassignments } = deposit;
  const balance = await lockCreditBalance(tx, userId);
  if (balance === undefined)
    throw new Error('A deposit with a user was applied to a credit balance');
  const { cornerStoreId } = balance;
  const payments = await paymentsOfDeposit(tx, userId, depositId);
  const surplusCents = await surplusOf(tx, userId, depositId);
  const availableCents = await cancelPayouts(tx, balance, surplusCents);
  const spendings = surplusCents > availableCents ? await paymentsOfBalance(tx, userId) : [];
  const { takenBack, returnedCents, recoveredCents } = reversalOf(
    { payments, surplusCents, spendings },
    availableCents,
  );
  const balanceCents = availableCents + returnedCents + recoveredCents;
  await undoHeld(tx, userId, {
    returns: takenBack
      .filter(({ allocationId }) => spendings.some((one) => one.allocationId === allocationId))
      .map((payment) => ({
        allocationId: payment.allocationId,
        depositId: null,
        cents: sumOf(payment),
      })),
    balanceCents,
    depositId,
    cents: surplusCents,
  });
  await takeBackPayments(tx, takenBack);
  await takeBackFromRecoveries(tx, userId, depositId);

  // Credit first, then debit, so that the balance is never below zero.
  if (returnedCents > 0) {
    await moveCreditBalance(tx, userId, { cause: 'returned', cents: returnedCents });
  }
  if (recoveredCents > 0) {
    await openRecovery(tx, { userId, cornerStoreId, depositId, cents: recoveredCents });
  }
  if (surplusCents > 0) {
    await moveCreditBalance(tx, userId, { cause, depositId, cents: -surplusCents });
  }
  // The surplus of another deposit may pay the restored debt: no user has both debt and a credit
  // balance.
  const left = { ...balance, balanceCents: balanceCents - surplusCents };
  const closed = await spendCreditBalance(tx, left);

  const now = context.clock.now();
  if (!(await dropPaymentNotice(tx, deposit, now))) {
    const subject = { subjectId: depositId, unassignments, cornerStoreId };
    await insertNotice(tx, { kind: 'payment-reversed', ...subject, notBefore: now });
  }
  // A restored debt that is past due gets a new default.
  const reopened = await openDefaults(tx, { asOf: now, userId, limit: DEFAULTS_BATCH_SIZE });
  const opened = reopened.map(({ transactionId }) => transactionId);
  await publishDefaults(tx, [{ cornerStoreId, opened, closed }]);
  return balance;
}

/**
 * Cancels as many payouts that wait for a second person as a surplus needs, newest first: their
 * money has not left yet.
 * @returns the balance with their money
 */
async function cancelPayouts(
  tx: Transaction,
  { userId, balanceCents }: CreditBalance,
  surplusCents: number,
): Promise<number> {
  let availableCents = balanceCents;
  if (availableCents >= surplusCents) return availableCents;
  const requested = await query<Payout>(
    tx,
    `SELECT * FROM payouts
      WHERE corner_store_id = (SELECT corner_store_id FROM credit_balances WHERE user_id = $1)
        AND status = 'requested' ORDER BY id DESC`,
    [userId],
  );
  for (const payout of requested) {
    if (availableCents >= surplusCents) break;
    await cancelPayout(tx, payout);
    availableCents += payout.amountCents;
  }
  return availableCents;
}

/** Reverses payments, under the locks of their receivables, and publishes each reversal (`payment.reversed`). */
async function takeBackPayments(tx: Transaction, takenBack: Payment[]): Promise<void> {
  if (takenBack.length === 0) return;
  const receivables = await lockReceivables(
    tx,
    takenBack.map(({ receivableId }) => receivableId),
  );
  const rows: ReversalRow[] = [];
  const events: OutboxRow[] = [];

  for (const { id, transactionId, cornerStoreId, lockedAt, ...receivable } of receivables) {
    let { version } = receivable;
    let outstanding: Parts = receivable;
    for (const payment of takenBack.filter(({ receivableId }) => receivableId === id)) {
      version += 1;
      outstanding = plus(outstanding, payment);
      const { allocationId, principalCents, interestCents, ivaCents } = payment;
      rows.push({
        allocationId,
        receivableId: id,
        version,
        principalCents,
        interestCents,
        ivaCents,
      });
      events.push(
        ...outboxRows(
          paymentReversed,
          { id, version },
          {
            paymentId: allocationId,
            transactionId,
            cornerStoreId,
            principalCents,
            outstandingCents: sumOf(outstanding),
            outstandingPrincipalCents: outstanding.principalCents,
            reversedAt: lockedAt.toISOString(),
          },
        ),
      );
    }
  }
  await writeReversals(tx, rows, events);
}
