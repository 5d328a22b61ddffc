import { listOf, nullable, object, success, text, uuid } from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { ConfirmTransactionBody } from '../confirm-transaction';
import { DeliverTransactionBody } from '../deliver-transaction';
import { ListTransactionsQuery } from '../list-transactions';
import {
  confirmedTransaction,
  EXAMPLE_IDS,
  exampleTransaction,
  transactionAnswer,
} from './answers';

const transaction = {
  status: 200,
  schema: transactionAnswer,
  example: exampleTransaction,
} as const;

export const getTransactionByOrder: Operation = {
  id: 'getTransactionByWholesalerId',
  tag: 'Transactions',
  summary: 'Get a transaction by the wholesaler’s own id',
  description: 'Of several with one id (a cancelled one and its successor) the newest.',
  answer: transaction,
  errors: ['TRANSACTION_NOT_FOUND'],
};

export const getTransaction: Operation = {
  id: 'getTransaction',
  tag: 'Transactions',
  summary: 'Get a transaction',
  answer: transaction,
  errors: ['TRANSACTION_NOT_FOUND'],
};

export const listTransactions: Operation = {
  id: 'listTransactions',
  tag: 'Transactions',
  summary: 'List transactions, newest first',
  query: ListTransactionsQuery,
  answer: {
    status: 200,
    schema: object('TransactionPage', {
      transactions: listOf(transactionAnswer),
      nextCursor: nullable(uuid),
    }),
    example: { transactions: [exampleTransaction], nextCursor: null },
  },
};

export const deliverTransaction: Operation = {
  id: 'deliverTransaction',
  tag: 'Transactions',
  summary: 'Notify the delivery',
  description:
    'Books the debt on `transactionAmount`: commission, interests and IVA follow from it. More ' +
    'than what the customer confirmed passes up to the wholesaler’s overage rate. Checked in this ' +
    'order: the transaction exists, is `on-hold`, the amount is there, then the rest. Every fifth ' +
    'wrong `deliveryWord` makes a new word, which is sent to the customer; after twenty wrong ones ' +
    'the answer is `TOO_MANY_ATTEMPTS` until the lender resets them.',
  body: DeliverTransactionBody,
  bodyExample: { status: 'delivery', transactionAmount: 480.5, deliveryWord: 'LimonTambor' },
  answer: { status: 200, schema: success, example: { success: true } },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'TRANSACTION_AMOUNT_NOT_FOUND',
    'TRANSACTION_AMOUNT_NOT_ALLOWED',
    'CREDIT_LIMIT_EXCEEDED',
    'DELIVERY_WORD_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  takesIdempotencyKey: true,
};

export const confirmTransaction: Operation = {
  id: 'confirmTransaction',
  tag: 'Transactions',
  summary: 'Confirm a transaction with its code',
  description: 'The field that carries the code is called `errorCode`.',
  body: ConfirmTransactionBody,
  bodyExample: { errorCode: '123456' },
  answer: {
    status: 200,
    schema: confirmedTransaction,
    example: { verificationId: EXAMPLE_IDS.verificationId, verificationStatus: 'approved' },
  },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
  ],
  takesIdempotencyKey: true,
};

export const resendCode: Operation = {
  id: 'resendTransactionCode',
  tag: 'Transactions',
  summary: 'Send the code of a transaction again',
  answer: {
    status: 200,
    schema: object('Sent', { message: text }),
    example: { message: 'The verification code was sent to ********0101' },
  },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'TRANSACTION_IS_VERIFIED',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  takesIdempotencyKey: true,
};

export const resendDeliveryWord: Operation = {
  id: 'resendDeliveryWord',
  tag: 'Transactions',
  summary: 'Send the delivery word again',
  description: 'The text of the success comes in a field called `errorMessage`.',
  answer: {
    status: 200,
    schema: object('SentDeliveryWord', { errorMessage: text }),
    example: { errorMessage: 'The delivery word was sent' },
  },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'DELIVERY_WORD_NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
  takesIdempotencyKey: true,
};

export const resetDeliveryWord: Operation = {
  id: 'resetDeliveryWord',
  tag: 'Ops: transactions',
  summary: 'Reset the tries of a delivery word',
  description:
    'Lifts the lock that twenty wrong words put on a transaction. The counts of wrong words and of ' +
    'resends start again, and the word is sent to the customer once more.',
  answer: transaction,
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD', 'DELIVERY_WORD_NOT_FOUND'],
};

export const cancelTransaction: Operation = {
  id: 'cancelTransaction',
  tag: 'Transactions',
  summary: 'Cancel a transaction before its delivery',
  description:
    'Frees the credit. An invoice that was issued stays: its issuer cancels it with the tax ' +
    'authority. One that waits to be issued becomes `failed`.',
  answer: {
    ...transaction,
    example: { ...exampleTransaction, transactionStatus: 'cancelled' },
  },
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD'],
  takesIdempotencyKey: true,
};
