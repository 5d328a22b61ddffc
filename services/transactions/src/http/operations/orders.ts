import type { Operation } from '@fiado/shared/openapi/operation';
import {
  count,
  listOf,
  nullable,
  object,
  oneOf,
  pesos,
  text,
  uuid,
  flag,
} from '@fiado/shared/openapi/json-schema';
import { BATCH_REASONS, ORDER_REASONS } from '../../domain/rejection-reasons';
import { CreateBatchBody } from '../create-batch';
import { CreateLinkBody } from '../create-link';
import { CreateTransactionBody } from '../create-transaction';
import { createdTransaction, EXAMPLE_IDS, exampleOrder } from './answers';

const { transactionId, verificationId, cornerStoreId } = EXAMPLE_IDS;

const acceptedItem = object('AcceptedBatchItem', {
  incrementalID: count,
  transactionId: uuid,
  totalAmount: pesos,
  totalAmountWithInterests: pesos,
  status: { type: 'string', const: 'accepted' },
  cornerStoreId: uuid,
});

const rejectedItem = object('RejectedBatchItem', {
  status: { type: 'string', const: 'rejected' },
  rejectionReasons: listOf(oneOf(BATCH_REASONS)),
  wholesalerTransactionId: nullable(text),
  cornerStoreId: { type: 'string', description: 'As it was sent' },
});

export const createLink: Operation = {
  id: 'createTransactionLink',
  tag: 'Transactions',
  summary: 'Create a transaction through a link',
  description:
    'The customer opens the link within 24 hours and types the code that is then sent by SMS. ' +
    '`cornerStoreId` may be left out: `externalId` names the customer.',
  body: CreateLinkBody,
  bodyExample: { transaction: exampleOrder },
  answer: {
    status: 201,
    schema: object('TransactionLink', {
      link: { type: 'string', format: 'uri' },
      transactionId: uuid,
    }),
    example: { link: `https://fiado.example/pedido/${transactionId}`, transactionId },
  },
  errors: [...ORDER_REASONS],
  takesIdempotencyKey: true,
};

export const createTransaction: Operation = {
  id: 'createTransaction',
  tag: 'Transactions',
  summary: 'Create a transaction',
  description:
    'Holds the credit and sends a code to the customer’s phone. `deliveryDate` as a date alone ' +
    'means the end of that day in Mexico City; it lies at most a year ahead.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  answer: {
    status: 201,
    schema: createdTransaction,
    example: { incrementalID: 42, transactionId, verificationId, userPhoneNumber: '********0101' },
  },
  errors: [...ORDER_REASONS],
  takesIdempotencyKey: true,
};

export const createBatch: Operation = {
  id: 'createTransactions',
  tag: 'Transactions',
  summary: 'Create several transactions',
  description:
    'One element for each order, in order; accepted ones are `on-hold` at once, without a code. ' +
    'An order is rejected with every reason that applies. `movementDate` lies at most 7 days in ' +
    'the past and 5 minutes in the future; a date alone means the start of that day.',
  body: CreateBatchBody,
  bodyExample: {
    driverId: 'chofer-7',
    transactions: [{ ...exampleOrder, movementDate: '2027-01-20T10:00:00-06:00' }],
  },
  answer: {
    status: 200,
    schema: listOf({ anyOf: [acceptedItem, rejectedItem] }),
    example: [
      {
        incrementalID: 43,
        transactionId,
        totalAmount: 500,
        totalAmountWithInterests: 529,
        status: 'accepted',
        cornerStoreId,
      },
      {
        status: 'rejected',
        rejectionReasons: ['INSUFFICIENT_CREDIT'],
        wholesalerTransactionId: 'PED-4712',
        cornerStoreId,
      },
    ],
  },
  takesIdempotencyKey: true,
};

export const checkOrder: Operation = {
  id: 'checkTransaction',
  tag: 'Transactions',
  summary: 'Ask what would become of an order',
  description: 'The body of the creation; nothing is changed.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  answer: {
    status: 200,
    schema: object('CheckedOrder', {
      accepted: flag,
      rejectionReasons: listOf(oneOf(ORDER_REASONS)),
      creditLimitAvailable: pesos,
      maximumAmount: pesos,
    }),
    example: {
      accepted: true,
      rejectionReasons: [],
      creditLimitAvailable: 9500,
      maximumAmount: 9500,
    },
  },
};
