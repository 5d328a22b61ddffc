import type { Caller } from '@fiado/contracts/caller';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { auditRows } from '@fiado/chassis/outbox/audit-rows';
import type { Context } from '../context';
import { findDeliveryWord, resetDeliveryWordCounts } from '../db/delivery-words.repository';
import { findTransactionView, type TransactionView } from '../db/transaction-views.repository';
import { findWholesalerOf, lockTransaction } from '../db/transactions.repository';
import { repeatDeliveryWord } from '../steps/delivery-word-message';

/**
 * Ops lifts the lock that twenty wrong delivery words put on an order: the counts of wrong words and
 * of resends start again, and the word is sent once more.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD, DELIVERY_WORD_NOT_FOUND
 */
export async function resetDeliveryWord(
  context: Context,
  { by, transactionId }: { by: Caller; transactionId: string },
): Promise<TransactionView> {
  const view = await context.db.transaction(async (tx) => {
    const wholesalerId = await findWholesalerOf(tx, transactionId);
    if (wholesalerId === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const transaction = await lockTransaction(tx, wholesalerId, transactionId);
    if (transaction?.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
    const word = await findDeliveryWord(tx, transaction);
    if (word === undefined) throw new AppError('DELIVERY_WORD_NOT_FOUND');

    await resetDeliveryWordCounts(tx, transactionId);
    await appendToOutbox(tx, [
      ...(await repeatDeliveryWord(context, tx, transaction, word)),
      ...auditRows(by, { action: 'delivery-word.reset', objectId: transactionId, details: {} }),
    ]);
    return findTransactionView(tx, wholesalerId, { transactionId });
  });
  if (view === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  context.relay.wake();
  return view;
}
