import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { maskPhone } from '@fiado/contracts/phone';
import { newCodeSaltFor } from '@fiado/chassis/verification/code';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { resendOrderCode } from '../db/resend-order-code';
import { findTransactionToConfirm, type ConfirmationIds } from '../db/transactions.repository';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';
import { requireFitsPhoneHold } from '../steps/fits-phone-hold';

export interface ResentCode {
  /** Masked: only the last digits are visible. */
  userPhoneNumber: string;
}

/**
 * Sends the order's code to the registered phone again (resendTransactionCode).
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND (also for an order that was
 *   cancelled or expired: its verification is gone), TRANSACTION_IS_VERIFIED, TOO_MANY_ATTEMPTS,
 *   also for a larger order after the wholesaler changed the phone
 */
export async function resendCode(
  context: Context,
  ids: ConfirmationIds,
  answerOf: StoreAnswer<ResentCode>,
): Promise<ResentCode> {
  const transaction = await findTransactionToConfirm(context.db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null || isAbandoned(transaction.status)) {
    throw new AppError('VERIFICATION_NOT_FOUND');
  }
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');

  const phone = context.sealer.open(
    transaction.phoneSealed,
    PHONE_PURPOSE,
    transaction.cornerStoreId,
  );
  const resent = { userPhoneNumber: maskPhone(phone) };
  // Called outside the database transaction; its checks still come first.
  const hasBudget = await hasSmsBudget(context, {
    template: 'order-code',
    phone,
    wholesalerId: ids.wholesalerId,
    lifeMs: CODE_LIFE_MS,
  });
  return answerInTransaction(context, answerOf, async (tx) => {
    await requireFitsPhoneHold(tx, transaction);
    const { verificationId } = ids;
    const newSalt = newCodeSaltFor(context.config, phone);
    const order = { ...transaction, verificationId, newSalt };
    const issued = await resendOrderCode(tx, context.config.CODE_PEPPER, order);
    if (!hasBudget) throw new AppError('TOO_MANY_ATTEMPTS');
    await appendToOutbox(
      tx,
      smsRows(context.sealer, {
        template: 'order-code',
        phone,
        values: {
          code: issued.code,
          amountCents: transaction.amountCents,
          wholesaler: transaction.wholesalerName,
        },
        wholesalerId: ids.wholesalerId,
        subjectId: transaction.id,
        verificationId,
        expiresAt: issued.expiresAt,
      }),
    );
    return resent;
  });
}
