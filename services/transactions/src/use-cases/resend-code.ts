import { answerInTransaction, type StoreAnswer } from '@fiado/shared/chassis/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { hasSmsBudget } from '@fiado/shared/clients/notifier';
import { AppError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';
import { smsRows } from '@fiado/shared/chassis/outbox/sms-rows';
import { maskPhone } from '@fiado/shared/phone';
import { newCodeSaltFor } from '@fiado/shared/verification/code';
import { CODE_LIFE_MS } from '@fiado/shared/verification/rules';
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
