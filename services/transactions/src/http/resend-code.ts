import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { resendCode } from '../use-cases/resend-code';

export const resendCodeEndpoint = endpoint({
  id: 'resendTransactionCode',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/verification/:verificationId',
  scope: 'transactions:write',
  summary: 'Send the code of a transaction again',
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.object('Sent', { message: t.text }),
  example: { message: 'The verification code was sent to ********0101' },
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: resendCode,
  present: ({ userPhoneNumber }) => ({
    message: `The verification code was sent to ${userPhoneNumber}`,
  }),
});
