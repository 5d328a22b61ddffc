import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { ValidateIf } from 'class-validator';
import { IsText } from '@fiado/contracts/decorators';
import { notValidFields } from '@fiado/chassis/verification/not-valid';
import { confirmVerification } from '../use-cases/confirm-verification';
import { EXAMPLE_IDS } from './examples';

/** A code has six digits. A longer text is refused without a comparison. */
const MAX_CODE = 100;

class ConfirmVerificationBody {
  @ValidateIf(({ code, errorCode }: ConfirmVerificationBody) => code != null || errorCode == null)
  @IsText(MAX_CODE)
  code?: string;

  /** The spec's name for the code of a transaction; taken here too. */
  @ValidateIf(({ errorCode }: ConfirmVerificationBody) => errorCode != null)
  @IsText(MAX_CODE)
  errorCode?: string;
}

export const confirmVerificationEndpoint = endpoint({
  id: 'confirmAccountVerification',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId/verification/:verificationId',
  scope: 'accounts:write',
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
    verificationId: t.uuid,
    verificationStatus: t.constant('approved'),
  }),
  example: { verificationId: EXAMPLE_IDS.verificationId, verificationStatus: 'approved' },
  input: ({ body, id, caller: by }) => ({
    by,
    code: body.code ?? body.errorCode ?? '',
    userId: id('userId', 'USER_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: confirmVerification,
  present: ({ verificationId }) => ({ verificationId, verificationStatus: 'approved' }),
});
