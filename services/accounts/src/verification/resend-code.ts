import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { newCodeSaltFor } from '@fiado/chassis/verification/code';
import { resend } from '@fiado/chassis/verification/verifications';
import { AppError, codeAndMessage } from '@fiado/contracts/errors';
import { CODE_LIFE_MS, limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { requireVerifiable } from '../corner-stores/corner-store.rules';
import { PURPOSE } from '../db/purposes';
import { EXAMPLE_PHONE } from '../examples';
import { PhoneBody, phoneOf } from '../request-fields';
import { verificationAnswer, sendCode } from './start-verification';
import { requireUnknownNumberBudget } from './unknown-numbers';
import { lockVerification } from './verifications.sql';
import { VerificationRow } from './verification.entity';

export const resendCodeEndpoint = endpoint({
  id: 'resendAccountCode',
  as: 'accounts.resendCode',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/account/:userId/verification/:verificationId',
  scope: 'accounts:write',
  names: { userId: 'user', verificationId: 'account-code' },
  summary: 'Send the code of an account again',
  description:
    'The errors of this endpoint have the keys `code` and `message`. In manual validation it sends a new code ' +
    'where none has come back and the last one is used up or has expired.',
  body: PhoneBody,
  bodyExample: { phoneNumber: EXAMPLE_PHONE },
  errors: [
    'VERIFICATION_NOT_FOUND',
    'USER_IS_VERIFIED',
    'USER_IN_MANUAL_VALIDATION',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  errorShape: codeAndMessage,
  idempotent: true,
  answer: verificationAnswer,
  input: ({ body, id, caller }, context: Context) => ({
    phone: phoneOf(context, body.phoneNumber),
    wholesalerId: caller.id,
    userId: id('userId', 'VERIFICATION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  // Sends a verification's code again (resendAccountCode), unless its phone is that of a blocked person.
  // The errors come in the order in which the endpoint lists them. Another phone gets a new code.
  handle: async (
    context: Context,
    { wholesalerId, userId, verificationId, phone },
    answerOf: StoreAnswer<{ verificationId: string }>,
  ) => {
    const { sealer, config } = context;
    const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);

    // Called outside the database transaction; its checks still come first.
    const hasBudget = await hasSmsBudget(context, {
      template: 'verification-code',
      phone,
      wholesalerId,
      lifeMs: CODE_LIFE_MS,
    });

    return answerInTransaction(context, answerOf, async (tx) => {
      const verification = await lockVerification(tx, wholesalerId, { userId, verificationId });
      if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
      const { cornerStoreStatus, isApproved, isCodeOver, isPaused } = verification;
      // A store that sent COMPLETED before its code proves its phone while nobody has decided.
      const needsCode =
        cornerStoreStatus === 'in-manual-validation' && !isApproved && isCodeOver && !isPaused;
      if (!needsCode) requireVerifiable(cornerStoreStatus);

      const moved = !verification.phoneIndex.equals(phoneIndex);
      const { code, expiresAt } = await resend(tx, config.CODE_PEPPER, verificationId, {
        renew: moved,
        newSalt: newCodeSaltFor(config, phone),
      });
      if (!hasBudget) throw limitOfADay();
      const phoneOwner = await requireUnknownNumberBudget(context, tx, {
        wholesalerId,
        phoneIndex,
      });
      if (moved) {
        await tx.manager.update(VerificationRow, verificationId, {
          phone: sealer.seal(phone, PURPOSE.phone, verificationId),
          phoneIndex,
        });
      }
      const sent = { phone, phoneOwner, code, wholesalerId, userId, verificationId, expiresAt };
      await sendCode(context, tx, sent);
      return { verificationId };
    });
  },
  present: ({ verificationId }) => ({ verificationId }),
});
