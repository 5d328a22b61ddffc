import { smsStatusOf } from '@fiado/chassis/clients/notifier';
import { AppError } from '@fiado/contracts/errors';
import type { SmsStatus } from '@fiado/contracts/sms';
import type { Context } from '../context';
import {
  findTransactionView,
  findVerification,
  type StoredVerification,
  type TransactionView,
} from '../db/transaction-views.repository';
import { awaitsConfirmation } from '../domain/transaction-status';

/** The confirmation of a transaction, and the outcome of the newest SMS with its code. */
export interface VerificationView extends Omit<StoredVerification, 'sends'> {
  /** Null when no code was sent, or the notifier cannot be asked or no longer knows. */
  smsStatus: SmsStatus | null;
}

/**
 * A wholesaler's own transaction with its confirmation.
 * @returns verification is null for a transaction that needs none
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function getTransaction(
  { db, notifier }: Pick<Context, 'db' | 'notifier'>,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
): Promise<{ transaction: TransactionView; verification: VerificationView | null }> {
  const transaction = await findTransactionView(db, wholesalerId, { transactionId });
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  const found = await findVerification(db, transactionId);
  if (found === undefined) return { transaction, verification: null };

  const { sends, ...verification } = found;
  const status =
    sends === 0
      ? undefined
      : await smsStatusOf(notifier, { subjectId: transactionId, template: 'order-code' });
  // A code that was just requested has not reached the notifier yet: pending.
  const onItsWay = status === null && awaitsConfirmation(transaction.status);
  const smsStatus = onItsWay ? 'pending' : (status ?? null);
  return { transaction, verification: { ...verification, smsStatus } };
}
