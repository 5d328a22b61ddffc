import { endpoint } from '@fiado/chassis/http/endpoint';
import { cancelTransaction } from '../use-cases/cancel-transaction';
import { exampleTransaction, presentTransaction, transactionAnswer } from './transaction-answer';

export const cancelTransactionEndpoint = endpoint({
  id: 'cancelTransaction',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/cancel',
  scope: 'transactions:write',
  summary: 'Cancel a transaction before its delivery',
  description:
    'Releases the credit. An issued invoice stays: its issuer cancels ' +
    'it with the tax authority. A pending one becomes `failed`.',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD'],
  idempotent: true,
  answer: transactionAnswer,
  example: { ...exampleTransaction, transactionStatus: 'cancelled' },
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: cancelTransaction,
  present: presentTransaction,
});
