import type { Transaction } from '@fiado/shared/chassis/db/database';
import { insertRow } from '@fiado/shared/chassis/db/rows';
import { query } from '@fiado/shared/chassis/db/query';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { verificationNotValid } from '@fiado/shared/verification/not-valid';
import { approve } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import {
  findTransactionToConfirm,
  type ConfirmationIds,
  type TransactionToConfirm,
} from '../db/transactions.repository';
import { onHoldExpiry } from '../domain/expiry';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';
import { drawDeliveryWord } from './delivery-word-message';

/**
 * The transaction of a verification, if it still waits for its code.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID
 */
export async function requireUnconfirmed(
  { db }: Context,
  ids: ConfirmationIds,
): Promise<TransactionToConfirm> {
  const transaction = await findTransactionToConfirm(db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null) throw new AppError('VERIFICATION_NOT_FOUND');
  if (isAbandoned(transaction.status)) throw verificationNotValid('cancelled');
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');
  if (transaction.codeIsVoid) throw verificationNotValid('expired');
  return transaction;
}

/**
 * Puts an order on hold after its code was right, and sends the delivery word.
 * @param salt of the code that was right
 * @throws AppError VERIFICATION_NOT_VALID when the code is no longer valid; TRANSACTION_IS_VERIFIED
 */
export async function putOnHold(
  context: Context,
  tx: Transaction,
  {
    transaction,
    ids,
    salt,
  }: { transaction: TransactionToConfirm; ids: ConfirmationIds; salt: Buffer },
): Promise<void> {
  const moved = await query(
    tx,
    `UPDATE transactions SET status = 'on-hold', version = version + 1, expires_at = $2
      WHERE id = $1 AND status = 'pending-verification' RETURNING id`,
    [transaction.id, onHoldExpiry(transaction.createdAt, transaction.deliveryDate)],
  );
  if (moved.length === 0) throw await whyNotAny(tx, ids);
  await approve(tx, ids.verificationId, salt);
  if (transaction.deliveryWordEnabled) await issueWord(context, tx, transaction);
}

async function issueWord(
  context: Context,
  tx: Transaction,
  transaction: TransactionToConfirm,
): Promise<void> {
  const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
  const { id: transactionId, phoneChanges } = transaction;
  await insertRow(tx, 'delivery_words', { transactionId, wordSealed, sends: 1, phoneChanges });
  await appendToOutbox(tx, jobs);
}

/** A concurrent request confirmed it, or it was cancelled or has expired. */
async function whyNotAny(tx: Transaction, ids: ConfirmationIds): Promise<AppError> {
  const now = await findTransactionToConfirm(tx, ids);
  return now === undefined || isAbandoned(now.status)
    ? verificationNotValid('cancelled')
    : new AppError('TRANSACTION_IS_VERIFIED');
}
