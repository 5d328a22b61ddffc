import { endpoint } from '@fiado/chassis/http/endpoint';
import { codeAndMessage } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { resendCode } from '../use-cases/resend-code';
import { EXAMPLE_IDS, EXAMPLE_PHONE } from './examples';
import { PhoneBody, phoneOf } from './request-fields';
import { verificationAnswer } from './start-verification';

export const resendCodeEndpoint = endpoint({
  id: 'resendAccountCode',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/account/:userId/verification/:verificationId',
  scope: 'accounts:write',
  summary: 'Send the code of an account again',
  description: 'The errors of this endpoint have the keys `code` and `message`.',
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
  example: { verificationId: EXAMPLE_IDS.verificationId },
  input: ({ body, id, caller }, context: Context) => ({
    phone: phoneOf(context, body.phoneNumber),
    wholesalerId: caller.id,
    userId: id('userId', 'VERIFICATION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: resendCode,
  present: ({ verificationId }) => ({ verificationId }),
});
