import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import type { Db } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox, audit } from '@fiado/chassis/outbox/append';
import { smsRows, findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';
import { newCodeSaltFor } from '@fiado/chassis/verification/code';
import { resend } from '@fiado/chassis/verification/verifications';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { maskPhone } from '@fiado/contracts/phone';
import { CODE_LIFE_MS, limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { requireMayGetCodes } from '../credit-lines/phone-hold.sql';
import { awaitsConfirmation, isAbandoned } from '../orders/order.rules';
import type { ConfirmationIds, OrderOfVerification } from './orders-of-verifications.sql';
import { VerificationRow } from './verification.entity';

/** Shared by the endpoints of wholesalers and of ops. */
export const codeResending = {
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  answer: t.object('Sent', {
    message: t.field(
      t.text,
      'Confirms that the code was sent',
      'The verification code was sent to ********0101',
    ),
  }),
  present: ({ userPhoneNumber }: ResentCode) => ({
    message: `The verification code was sent to ${userPhoneNumber}`,
  }),
} as const;

export const resendCodeEndpoint = endpoint({
  ...codeResending,
  id: 'resendTransactionCode',
  as: 'transactions.resendCode',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/verification/:verificationId',
  scope: 'transactions:write',
  names: { transactionId: 'order', verificationId: 'order-code' },
  summary: 'Send the code of a transaction again',
  idempotent: true,
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: resendCode,
});

export interface ResentCode {
  /** Masked: only the last digits are visible. */
  userPhoneNumber: string;
}

/**
 * Sends the order's code to the registered phone again (resendTransactionCode).
 * @param by who of the lender asks for it, which is audited; undefined: the wholesaler
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND (also for an order that was
 *   cancelled or expired: its verification is gone), TRANSACTION_IS_VERIFIED, TOO_MANY_ATTEMPTS,
 *   also for a larger order after the wholesaler changed the phone
 */
export async function resendCode(
  context: Context,
  { by, ...ids }: ConfirmationIds & { by?: Caller },
  answerOf: StoreAnswer<ResentCode>,
): Promise<ResentCode> {
  const order = await context.lanes.verifications.add(ids);
  if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (order.codeSalt === null || isAbandoned(order.status)) {
    throw new AppError('VERIFICATION_NOT_FOUND');
  }
  if (!awaitsConfirmation(order.status)) throw new AppError('TRANSACTION_IS_VERIFIED');

  const phone = context.sealer.open(order.phoneSealed, PHONE_PURPOSE, order.cornerStoreId);
  // Called outside the database transaction; its checks still come first.
  const hasBudget = await hasSmsBudget(context, {
    template: 'order-code',
    phone,
    wholesalerId: ids.wholesalerId,
    lifeMs: CODE_LIFE_MS,
  });
  return answerInTransaction(context, answerOf, async (tx) => {
    await requireMayGetCodes(tx, order);
    const { verificationId } = ids;
    await sendCodeAgain(context, tx, { ...order, verificationId }, { phone, hasBudget });
    if (by !== undefined) {
      const objectId = ids.transactionId;
      await audit(tx, by, { action: 'order-code.resent', objectId, details: {} });
    }
    return { userPhoneNumber: maskPhone(phone) };
  });
}

/** An order whose code is sent again. */
type OrderOfCode = Pick<
  OrderOfVerification,
  | 'id'
  | 'wholesalerId'
  | 'wholesalerName'
  | 'amountCents'
  | 'phoneUnprovenBy'
  | 'phoneChanges'
  | 'codeIsVoid'
> & {
  verificationId: string;
  /** Whether the last code has no checks left on its page. */
  codeIsUsedUp?: boolean;
};

/**
 * Counts a resend and sends the code again; an invalid one is replaced.
 * @throws AppError TOO_MANY_ATTEMPTS after five messages or without a budget, VERIFICATION_NOT_VALID
 *   when not pending
 */
export async function sendCodeAgain(
  { config, sealer }: Context,
  tx: Db,
  { verificationId, codeIsVoid, codeIsUsedUp = false, ...order }: OrderOfCode,
  { phone, hasBudget = true }: { phone: string; hasBudget?: boolean },
): Promise<void> {
  const { code, expiresAt } = await resend(tx, config.CODE_PEPPER, verificationId, {
    renew: codeIsVoid || codeIsUsedUp,
    newSalt: newCodeSaltFor(config, phone),
  });
  if (codeIsVoid) {
    await tx.manager.update(VerificationRow, verificationId, { phoneChanges: order.phoneChanges });
  }
  if (!hasBudget) throw limitOfADay();
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      template: 'order-code',
      phone,
      unprovenBy: order.phoneUnprovenBy,
      values: { code, amountCents: order.amountCents, wholesaler: order.wholesalerName },
      wholesalerId: order.wholesalerId,
      subjectId: order.id,
      verificationId,
      expiresAt,
    }),
  );
}

/** A code or a delivery word, while its order waits for it. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `CASE template
     WHEN 'order-code' THEN EXISTS (
       SELECT FROM verifications JOIN transactions ON transactions.id = transaction_id
        WHERE verifications.id = "verificationId"
          AND verifications.status = 'pending'
          AND transactions.status = 'pending-verification')
     ELSE EXISTS (
       SELECT FROM transactions WHERE id = "subjectId" AND status = 'on-hold') END`,
);
