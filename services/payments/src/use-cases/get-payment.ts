import { AppError } from '@fiado/contracts/errors';
import {
  deliveredTransactionCall,
  type DeliveredTransactionQuestion,
} from '@fiado/contracts/delivered-transaction';
import type { Context } from '../context';
import { findReceivable, type ReceivableView } from '../db/receivables.repository';
import { openReceivable } from './open-receivable';

/**
 * The amount due and the references of a transaction. Before the delivery's event arrives,
 * transactions is called, so that a payment reference exists as soon as the delivery does.
 * @throws AppError TRANSACTION_NOT_FOUND, also for another wholesaler's
 * @throws AppError RECEIVABLE_NOT_FOUND when the transaction is not delivered yet
 */
export async function getPayment(
  context: Context,
  { transactionId, wholesalerId }: DeliveredTransactionQuestion,
): Promise<ReceivableView> {
  const known = await findReceivable(context.db, transactionId);
  if (known !== undefined && known.wholesalerId !== wholesalerId) {
    throw new AppError('TRANSACTION_NOT_FOUND');
  }
  if (known !== undefined) return known;

  const question: DeliveredTransactionQuestion = { transactionId, wholesalerId };
  const { delivered } = await context.transactions.ask(deliveredTransactionCall, question);
  if (delivered === null) throw new AppError('RECEIVABLE_NOT_FOUND');

  await openReceivable(context, { delivered });
  const opened = await findReceivable(context.db, transactionId);
  if (opened === undefined) throw new Error('A receivable that was just opened must be found');
  return opened;
}
