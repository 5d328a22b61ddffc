import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { outboxRows } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { receivableCredited, type TransactionCredited } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import { publishDefaults } from '../defaults/open-defaults';
import { insertNotice } from '../notices/notices.sql';
import {
  type CreditBalance,
  lockCreditBalance,
  moveCreditBalance,
} from '../payouts/credit-balance';
import { holdReturned } from '../payouts/held-credits';
import type { ReturnedPayment } from '../payouts/held-money.rules';
import { excessOf, minus, plus, sumOf, takeBackExcess } from './allocation.rules';
import { getPayment } from './get-payment';
import {
  lockReceivableOf,
  type PaymentOfDeposit,
  paymentsOfReceivable,
  writeCredit,
} from './ledger.sql';
import { spendCreditBalance } from './pay-receivables';

/**
 * Lowers the debt of an order by a credit note, once for each note. An overpayment returns to the surplus
 * of the deposits, or to the credit balance, that paid it. There it pays what the store owes: the rest of
 * this debt first, then the oldest due. The money is not paid out until the note is settled. If the event
 * of the debt has not arrived, the debt is opened first.
 * @throws AppError TRANSACTION_NOT_FOUND, SERVICE_UNAVAILABLE when transactions cannot be reached
 */
export async function creditReceivable(
  context: Context,
  messageId: string,
  credited: TransactionCredited,
): Promise<void> {
  const { transactionId, wholesalerId, creditNoteId } = credited;
  const { userId } = await getPayment(context, { transactionId, wholesalerId });
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const balance = await lockCreditBalance(tx, userId);
    if (balance === undefined) throw new Error('A user with a debt has a credit balance');
    const { cornerStoreId } = balance;
    if (await isBooked(tx, creditNoteId)) return;

    const { receivableId, returns, isClosed } = await bookCredit(tx, credited);
    await holdReturned(tx, userId, { creditNoteId, returns });
    const returnedCents = returns.reduce((sum, { cents }) => sum + cents, 0);
    const balanceCents = balance.balanceCents + returnedCents;
    const money: CreditBalance = { ...balance, balanceCents };
    const closed = await spendCreditBalance(tx, money, receivableId);
    await insertNotice(tx, {
      kind: 'order-credited',
      subjectId: creditNoteId,
      cornerStoreId,
      notBefore: context.clock.now(),
    });
    const ended = isClosed ? [transactionId, ...closed] : closed;
    await publishDefaults(tx, [{ cornerStoreId, opened: [], closed: ended }]);
  });
  context.relay.wake();
}

/** The inbox forgets a message after a month, the ledger does not. */
async function isBooked(tx: Transaction, creditNoteId: string): Promise<boolean> {
  const found = await query(tx, 'SELECT FROM receivable_entries WHERE credit_note_id = $1', [
    creditNoteId,
  ]);
  return found.length > 0;
}

/** @returns the payments whose money went to the locked credit balance, and whether a default ended */
async function bookCredit(
  tx: Transaction,
  { creditNoteId, transactionId, ...note }: TransactionCredited,
): Promise<{ receivableId: string; returns: ReturnedPayment[]; isClosed: boolean }> {
  const receivable = await lockReceivableOf(tx, transactionId);
  const { id: receivableId, cornerStoreId, inDefault } = receivable;
  const excess = excessOf(note, receivable);
  const takenBack =
    sumOf(excess) === 0 ? [] : takeBackExcess(excess, await paymentsOfReceivable(tx, receivableId));

  const outstanding = plus(minus(receivable, note), excess);
  const outstandingCents = sumOf(outstanding);
  const paidAt = outstandingCents === 0 ? (receivable.paidAt ?? receivable.lockedAt) : null;
  const version = receivable.version + 1;
  await writeCredit(tx, {
    creditNoteId,
    isPaid: outstandingCents === 0,
    note: { receivableId, version, ...note },
    reversals: takenBack.map((payment, at) => ({ ...payment, version: version + 1 + at })),
    events: outboxRows(
      receivableCredited,
      { id: receivableId, version: version + takenBack.length },
      {
        creditNoteId,
        transactionId,
        cornerStoreId,
        outstandingCents,
        outstandingPrincipalCents: outstanding.principalCents,
        paidAt: paidAt?.toISOString() ?? null,
      },
    ),
  });
  const returns = await returnToBalance(tx, receivable.userId, takenBack);
  return { receivableId, returns, isClosed: inDefault && paidAt !== null };
}

async function returnToBalance(
  tx: Transaction,
  userId: string,
  takenBack: PaymentOfDeposit[],
): Promise<ReturnedPayment[]> {
  const returns: ReturnedPayment[] = [];
  for (const { depositId, ...payment } of takenBack) {
    const cents = sumOf(payment);
    const movement =
      depositId === null
        ? ({ cause: 'returned', cents } as const)
        : ({ cause: 'surplus', depositId, cents } as const);
    await moveCreditBalance(tx, userId, movement);
    returns.push({ allocationId: payment.allocationId, depositId, cents });
  }
  return returns;
}
