import { endpoint } from '@fiado/chassis/http/endpoint';
import { VERIFICATION_STATUSES } from '@fiado/contracts/verification-rules';
import { AppError } from '@fiado/contracts/errors';
import { SMS_STATUSES } from '@fiado/contracts/sms';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findTransactionView } from '../db/transaction-views.repository';
import { getTransaction } from '../use-cases/get-transaction';
import {
  exampleTransaction,
  presentTransaction,
  transactionFields,
  type transactionAnswer,
} from './transaction-answer';

const { paymentTimeZone: _addition, ...specFields } = transactionFields;

/** The specification lists the fields of this endpoint, and no other is added. */
const specTransactionAnswer = t.object('SpecTransaction', specFields);

function specFieldsOf({
  paymentTimeZone: _paymentTimeZone,
  ...fields
}: t.AnswerOf<typeof transactionAnswer>): t.AnswerOf<typeof specTransactionAnswer> {
  return fields;
}

export const getTransactionByOrderEndpoint = endpoint({
  id: 'getTransactionByWholesalerId',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'GET /v1/transaction/external/:wholesalerTransactionId',
  scope: 'transactions:read',
  summary: 'Get a transaction by the wholesaler’s own id',
  description: 'If several have the same id (a cancelled one and its successor), the newest.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: specTransactionAnswer,
  example: specFieldsOf(exampleTransaction),
  input: ({ caller, text }) => ({
    wholesalerId: caller.id,
    wholesalerTransactionId: text('wholesalerTransactionId'),
  }),
  handle: async ({ db }: Context, { wholesalerId, wholesalerTransactionId }) => {
    const found = await findTransactionView(db, wholesalerId, { wholesalerTransactionId });
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    return found;
  },
  present: (transaction, context) => specFieldsOf(presentTransaction(transaction, context)),
});

export const getTransactionEndpoint = endpoint({
  id: 'getTransaction',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId',
  scope: 'transactions:read',
  summary: 'Get a transaction',
  description:
    '`verification` is null for a transaction that needs no confirmation. Its `smsStatus` becomes `failed` if the SMS was refused, for ' +
    'example by a budget of the phone number.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('TransactionWithVerification', {
    ...transactionFields,
    verification: t.nullable(
      t.object('TransactionVerification', {
        verificationId: t.uuid,
        status: t.oneOf(VERIFICATION_STATUSES),
        smsStatus: {
          ...t.nullable(t.oneOf(SMS_STATUSES)),
          description:
            'The status of the newest SMS with the code; null if none was sent or it is unknown',
        },
        expiresAt: t.timestamp,
        checksLeft: t.count,
      }),
    ),
  }),
  example: {
    ...exampleTransaction,
    verification: {
      verificationId: EXAMPLE_IDS.verificationId,
      status: 'pending',
      smsStatus: 'delivered',
      expiresAt: '2026-09-21T16:15:00.000Z',
      checksLeft: 5,
    },
  },
  input: ({ caller, id }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: getTransaction,
  present: ({ transaction, verification }, context: Context) => ({
    ...presentTransaction(transaction, context),
    verification: verification && {
      ...verification,
      expiresAt: verification.expiresAt.toISOString(),
    },
  }),
});
