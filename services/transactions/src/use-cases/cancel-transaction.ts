import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findTransactionView, type TransactionView } from '../db/transaction-views.repository';
import { releaseTransaction } from '../steps/release-transaction';

/**
 * Cancels an order before its delivery and releases its credit.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export async function cancelTransaction(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
  answerOf: StoreAnswer<TransactionView>,
): Promise<TransactionView> {
  return answerInTransaction(context, answerOf, async (tx) => {
    const existing = await findTransactionView(tx, wholesalerId, { transactionId });
    if (existing === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const released = await releaseTransaction(tx, {
      transactionId,
      from: ['pending-verification', 'on-hold'],
      to: 'cancelled',
    });
    if (!released) throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
    return { ...existing, status: 'cancelled' as const };
  });
}
