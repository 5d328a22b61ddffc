import { IsOptional, IsString } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireId } from '@fiado/contracts/new-id';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import { IsMetadata } from '@fiado/contracts/decorators';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { ORDER_REASONS } from '../domain/rejection-reasons';
import { countRefusal } from '../metrics';
import { createTransaction, type CreatedTransaction } from '../use-cases/create-transaction';
import { exampleOrder, OrderBody, orderOf } from './order-body';

export class CreateTransactionBody extends OrderBody {
  @IsString()
  cornerStoreId: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

const { transactionId, verificationId } = EXAMPLE_IDS;

export const createTransactionEndpoint = endpoint({
  id: 'createTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction',
  scope: 'transactions:write',
  summary: 'Create a transaction',
  description:
    'Holds the credit and sends a code to the customer’s phone. `deliveryDate` as a date alone ' +
    'means the end of that day in Mexico City; it may be at most a year ahead.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  errors: ORDER_REASONS,
  idempotent: true,
  status: 201,
  answer: t.object('CreatedTransaction', {
    incrementalID: t.count,
    transactionId: t.uuid,
    verificationId: t.uuid,
    userPhoneNumber: { ...t.text, description: 'Masked except the last four digits' },
  }),
  example: { incrementalID: 42, transactionId, verificationId, userPhoneNumber: '********0101' },
  input: ({ body, caller }, { config }: Context) => ({
    ...orderOf(body, config.TIME_ZONE),
    wholesalerId: caller.id,
    cornerStoreId: body.cornerStoreId,
    sendCode: 'now' as const,
  }),
  handle: async (
    context: Context,
    { cornerStoreId, ...order },
    answerOf: StoreAnswer<CreatedTransaction>,
  ) => {
    // Not earlier, because an order for an unknown store counts as a refusal too.
    const id = requireId(cornerStoreId, 'CORNER_STORE_NOT_FOUND');
    return createTransaction(context, { ...order, cornerStoreId: id }, answerOf);
  },
  onError: countRefusal('order'),
  headers: (created) => ({ Location: `/v1/transaction/${created.transactionId}` }),
  present: (created) => ({
    incrementalID: created.incrementalId,
    transactionId: created.transactionId,
    verificationId: created.verificationId,
    userPhoneNumber: created.userPhoneNumber,
  }),
});
