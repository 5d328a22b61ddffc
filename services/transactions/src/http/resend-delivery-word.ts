import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { resendDeliveryWord } from '../use-cases/resend-delivery-word';

/** The spec's answer to success carries its text in a field named errorMessage. */
const sent = { errorMessage: 'The delivery word was sent' };

export const resendDeliveryWordEndpoint = endpoint({
  id: 'resendDeliveryWord',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/delivery-word',
  scope: 'transactions:write',
  summary: 'Send the delivery word again',
  description: 'The success text is in the field `errorMessage`.',
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'DELIVERY_WORD_NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.object('SentDeliveryWord', { errorMessage: t.text }),
  example: sent,
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: resendDeliveryWord,
  present: () => sent,
});
