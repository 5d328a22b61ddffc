import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findTransaction, type TransactionWithTerms } from '../db/transactions.repository';

/**
 * The wholesaler's transaction, when it is on hold: deliverTransaction checks this before it looks
 * at its body.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export async function requireOnHold(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
): Promise<TransactionWithTerms> {
  const transaction = await findTransaction(context.db, wholesalerId, transactionId);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
  return transaction;
}
