import { IsText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import { notValidFields } from '@fiado/chassis/verification/not-valid';
import { confirmTransaction } from '../use-cases/confirm-transaction';

class ConfirmTransactionBody {
  /** The spec's name for the code. */
  @IsText(20)
  errorCode: string;
}

export const confirmTransactionEndpoint = endpoint({
  id: 'confirmTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId/verification/:verificationId',
  scope: 'transactions:write',
  summary: 'Confirm a transaction with its code',
  description:
    'The code is sent in the field `errorCode`. After twenty wrong codes for one corner ' +
    'store in a day the answer is `TOO_MANY_ATTEMPTS`.',
  body: ConfirmTransactionBody,
  bodyExample: { errorCode: '123456' },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  errorFields: { VERIFICATION_NOT_VALID: notValidFields },
  idempotent: true,
  answer: t.object('ConfirmedTransaction', {
    verificationId: t.uuid,
    verificationStatus: t.constant('approved'),
  }),
  example: { verificationId: EXAMPLE_IDS.verificationId, verificationStatus: 'approved' },
  input: ({ body, id, caller }) => ({
    code: body.errorCode,
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: confirmTransaction,
  present: ({ verificationId, verificationStatus }) => ({ verificationId, verificationStatus }),
});
