import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE, smsRows } from '@fiado/shared/contracts/jobs/send-message';
import { maskPhone } from '@fiado/shared/phone';
import { resend } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import { findTransactionToConfirm, type ConfirmationIds } from '../db/transactions.repository';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';

export interface ResentCode {
  /** Masked: only the last digits are visible. */
  userPhoneNumber: string;
}

/**
 * Sends the order's code to the registered phone again (spec e12).
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND (also for an order that was
 *   cancelled or expired: its verification is gone), TRANSACTION_IS_VERIFIED, TOO_MANY_ATTEMPTS
 */
export async function resendCode(
  context: Context,
  ids: ConfirmationIds,
  keep: Keep<ResentCode>,
): Promise<ResentCode> {
  const transaction = await findTransactionToConfirm(context.db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null || isAbandoned(transaction.status)) {
    throw new AppError('VERIFICATION_NOT_FOUND');
  }
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');

  const phone = context.sealer.open(transaction.phoneSealed, PHONE_PURPOSE);
  const resent = { userPhoneNumber: maskPhone(phone) };
  await context.db.transaction(async (tx) => {
    const issued = await resend(tx, context.config.CODE_PEPPER, ids.verificationId);
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
        expiresAt: issued.expiresAt,
      }),
    );
    await storeAnswer(tx, keep(resent));
  });

  context.relay.wake();
  return resent;
}
