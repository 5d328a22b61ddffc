import { ValidateIf } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { countApiCheck } from '@fiado/chassis/verification/count-check';
import { notValidFields } from '@fiado/chassis/verification/not-valid';
import { approve, checkCode } from '@fiado/chassis/verification/verifications';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { givePhone, refuseTakenPhone } from './give-phone';
import { countConfirmed, ownerOfPhone } from './unknown-numbers';
import { findVerification, type LockedVerification, lockVerification } from './verifications.sql';

/** A code has six digits, however they are grouped. */
const MAX_CODE = 100;

class ConfirmVerificationBody {
  @About('The code that the user read in the SMS: six digits', '483920')
  @ValidateIf(({ code, errorCode }: ConfirmVerificationBody) => code != null || errorCode == null)
  @IsText(MAX_CODE)
  code?: string;

  /** The spec's name for the code of a transaction; taken here too. */
  @About('The code that the user read in the SMS, as `code`; one of the two is needed', '483920')
  @ValidateIf(({ errorCode }: ConfirmVerificationBody) => errorCode != null)
  @IsText(MAX_CODE)
  errorCode?: string;
}

export const confirmVerificationEndpoint = endpoint({
  id: 'confirmAccountVerification',
  as: 'accounts.confirm',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId/verification/:verificationId',
  scope: 'accounts:write',
  names: { userId: 'user', verificationId: 'account-code' },
  summary: 'Confirm an account with its code',
  description:
    '`errorCode` is accepted as another name of `code`. After twenty wrong codes for one user in a day ' +
    'the answer is `TOO_MANY_ATTEMPTS`.',
  body: ConfirmVerificationBody,
  bodyExample: { code: '123456' },
  errors: [
    'USER_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
    'PHONE_NUMBER_ALREADY_EXISTS',
  ],
  errorFields: { VERIFICATION_NOT_VALID: notValidFields },
  idempotent: true,
  answer: t.object('ConfirmedVerification', {
    verificationId: fields.verificationId,
    verificationStatus: t.field(t.constant('approved'), 'State of the verification', 'approved'),
  }),
  input: ({ body, id, caller: by }) => ({
    by,
    code: body.code ?? body.errorCode ?? '',
    userId: id('userId', 'USER_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: confirmVerification,
  present: ({ verificationId }) => ({ verificationId, verificationStatus: 'approved' }),
});

interface ConfirmVerification {
  by: Caller;
  userId: string;
  verificationId: string;
  code: string;
}

/**
 * Checks a verification's code. The phone that received it becomes the user's phone.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes, PHONE_NUMBER_ALREADY_EXISTS when the phone is
 * another user's by now
 */
async function confirmVerification(
  context: Context,
  { by, userId, verificationId, code }: ConfirmVerification,
  answerOf: StoreAnswer<{ verificationId: string }>,
): Promise<{ verificationId: string }> {
  const { db, config, sealer } = context;
  const found = await findVerification(db, by.id, { userId, verificationId });
  if (found === undefined) throw new AppError('USER_NOT_FOUND');
  const { cornerStoreId, codeSalt: salt, isOfBlockedPhone } = found;
  if (salt === null) throw new AppError('VERIFICATION_NOT_FOUND');

  // Counted and committed before anything else, so that parallel guesses share the checks.
  await checkCode(
    db,
    config,
    // No code to the phone of a blocked person is right, not even one from before the block.
    {
      wholesalerId: by.id,
      cornerStoreId,
      verificationId,
      salt,
      code,
      isVoid: isOfBlockedPhone,
    },
    countApiCheck(db),
  );

  let verification: LockedVerification | undefined;
  try {
    await db.transaction(async (tx) => {
      verification = await lockVerification(tx, by.id, { userId, verificationId });
      if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
      await approve(tx, verificationId, salt);
      if ((await ownerOfPhone(tx, verification.phoneIndex)) === 'nobody') {
        await countConfirmed(tx, by.id);
      }
      await givePhone(context, tx, {
        by,
        user: verification,
        phone: sealer.open(verification.phone, PURPOSE.phone, verificationId),
        phoneIndex: verification.phoneIndex,
        isKnown: true,
      });
      await storeAnswer(tx, answerOf({ verificationId }));
    });
  } catch (error) {
    if (verification === undefined) throw error;
    await refuseTakenPhone(context, error, verification.phoneIndex);
  }
  context.relay.wake();
  return { verificationId };
}
