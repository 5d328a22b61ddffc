import { endpoint } from '@fiado/chassis/http/endpoint';
import { resetDeliveryWord } from '../use-cases/reset-delivery-word';
import { exampleTransaction, presentTransaction, transactionAnswer } from './transaction-answer';

export const resetDeliveryWordEndpoint = endpoint({
  id: 'resetDeliveryWord',
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/reset-delivery-word',
  scope: 'operator',
  summary: 'Reset the delivery word of a transaction',
  description:
    'Lifts the lock that twenty wrong words put on a transaction. The counts of wrong words and resends start again, ' +
    'and the word is sent to the customer again.',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD', 'DELIVERY_WORD_NOT_FOUND'],
  answer: transactionAnswer,
  example: exampleTransaction,
  input: ({ id, caller: by }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: resetDeliveryWord,
  present: presentTransaction,
});
