import type { EntityManager } from 'typeorm';
import { query } from '@fiado/shared/chassis/db/query';
import { storeAnswer, type StoreAnswer } from '@fiado/shared/chassis/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError, type ErrorCode } from '@fiado/shared/contracts/errors';
import { countApiCheck } from '@fiado/shared/verification/count-api-check';
import { approve, checkCode } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import { countPageCheck } from '../db/count-page-check';
import { insertDeliveryWord } from '../db/delivery-words.repository';
import {
  findTransactionToConfirm,
  type ConfirmationIds,
  type TransactionToConfirm,
} from '../db/transactions.repository';
import { onHoldExpiry } from '../domain/expiry';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';
import { drawDeliveryWord } from '../steps/delivery-word-message';

export interface ConfirmTransaction extends ConfirmationIds {
  code: string;
  /** Where the code was entered: wrong codes are counted separately. */
  typedIn: 'api' | 'page';
}

export interface ConfirmedTransaction {
  verificationId: string;
  verificationStatus: 'approved';
}

/**
 * The store confirms its order with the code (confirmTransaction): the order is on hold from now
 * on, and the delivery word is sent.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function confirmTransaction(
  context: Context,
  { code, typedIn, ...ids }: ConfirmTransaction,
  answerOf: StoreAnswer<ConfirmedTransaction>,
): Promise<ConfirmedTransaction> {
  const transaction = await findTransactionToConfirm(context.db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null) throw new AppError('VERIFICATION_NOT_FOUND');
  if (isAbandoned(transaction.status)) throw new AppError('VERIFICATION_NOT_VALID');
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');
  if (transaction.codeIsVoid) throw new AppError('VERIFICATION_NOT_VALID');

  const countCheck = typedIn === 'page' ? countPageCheck : countApiCheck;
  const salt = await checkCode(
    context.db,
    context.config.CODE_PEPPER,
    { ...ids, code },
    countCheck(context.db, transaction.cornerStoreId),
  );
  const confirmed = { verificationId: ids.verificationId, verificationStatus: 'approved' } as const;
  await context.db.transaction(async (tx) => {
    const moved = await query(
      tx,
      `UPDATE transactions SET status = 'on-hold', version = version + 1, expires_at = $2
        WHERE id = $1 AND status = 'pending-verification' RETURNING id`,
      [transaction.id, onHoldExpiry(transaction.createdAt, transaction.deliveryDate)],
    );
    if (moved.length === 0) throw new AppError(await whyNotAny(tx, ids));
    await approve(tx, ids.verificationId, salt);
    if (transaction.deliveryWordEnabled) await issueWord(context, tx, transaction);
    await storeAnswer(tx, answerOf(confirmed));
  });

  context.relay.wake();
  return confirmed;
}

async function issueWord(
  context: Context,
  tx: EntityManager,
  transaction: TransactionToConfirm,
): Promise<void> {
  const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
  await insertDeliveryWord(tx, transaction, wordSealed);
  await appendToOutbox(tx, jobs);
}

/** A concurrent request confirmed it, or it was cancelled or has expired. */
async function whyNotAny(tx: EntityManager, ids: ConfirmationIds): Promise<ErrorCode> {
  const now = await findTransactionToConfirm(tx, ids);
  return now === undefined || isAbandoned(now.status)
    ? 'VERIFICATION_NOT_VALID'
    : 'TRANSACTION_IS_VERIFIED';
}
