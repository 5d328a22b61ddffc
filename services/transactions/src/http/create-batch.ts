import { IsOptional, IsString, isUUID, Length } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { BATCH_MAX_VALUES, BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import type { RefusedItem } from '@fiado/chassis/refusals/refused-items';
import { IsArrayOf, IsDateText, IsMetadata } from '@fiado/contracts/decorators';
import { amountOf } from '@fiado/contracts/money';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import type { BatchItem } from '../domain/batch';
import { BATCH_REASONS } from '../domain/rejection-reasons';
import { createBatch, type BatchOutcome } from '../use-cases/create-batch';
import { exampleOrder, OrderBody, orderOf } from './order-body';

/** Orders of one batch: their lines are locked together, so the time that takes is bounded. */
const MAX_ITEMS = 500;

class BatchItemBody extends OrderBody {
  /** A malformed id rejects only its item. */
  @IsString()
  cornerStoreId: string;

  @IsOptional()
  @IsDateText()
  movementDate?: string;

  @IsMetadata()
  metadata: object;
}

class CreateBatchBody {
  @IsArrayOf(() => BatchItemBody, { min: 1, max: MAX_ITEMS })
  transactions: BatchItemBody[];

  @IsString()
  @Length(1, 100)
  driverId: string;
}

/** The result of an item, at the item's index. */
const batchOutcome = t.either(
  t.object('AcceptedBatchItem', {
    incrementalID: t.count,
    transactionId: t.uuid,
    totalAmount: t.pesos,
    totalAmountWithInterests: t.pesos,
    status: t.constant('accepted'),
    cornerStoreId: t.uuid,
  }),
  t.object('RejectedBatchItem', {
    status: t.constant('rejected'),
    rejectionReasons: t.listOf(t.oneOf(BATCH_REASONS)),
    wholesalerTransactionId: t.nullable(t.text),
    cornerStoreId: { ...t.text, description: 'As it was sent' },
  }),
);

const { transactionId, cornerStoreId } = EXAMPLE_IDS;

export const createBatchEndpoint = endpoint({
  id: 'createTransactions',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/batch',
  scope: 'transactions:write',
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  summary: 'Create several transactions',
  description:
    'The answer has one element for each order, in order. Accepted orders are `on-hold` at once, without a code. ' +
    'An order is rejected with every reason that applies. `movementDate` may be at most 7 days in ' +
    'the past and 5 minutes in the future; a date alone means the start of that day. ' +
    '`BATCH_NOT_ENABLED`: the lender has switched batches off for you; `BATCH_LIMIT_EXCEEDED`: your daily number of ' +
    'items is used up.',
  body: CreateBatchBody,
  bodyExample: {
    driverId: 'chofer-7',
    transactions: [
      exampleOrder,
      { ...exampleOrder, wholesalerTransactionId: 'PED-4712', totalAmount: 90_000 },
    ],
  },
  idempotent: true,
  answer: t.listOf(batchOutcome),
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
  input: ({ body, caller }, { config }: Context) => ({
    wholesalerId: caller.id,
    driverId: body.driverId,
    items: body.transactions.map((item, index) => itemOf(item, index, config.TIME_ZONE)),
  }),
  handle: createBatch,
  present: (outcomes) => outcomes.map(presentOutcome),
  refusedItems: (outcomes) => outcomes.flatMap((outcome) => refusedItem(outcome) ?? []),
});

function itemOf(body: BatchItemBody, index: number, timeZone: string): BatchItem {
  const { cornerStoreId, movementDate } = body;
  const path = `transactions.${index}.`;
  return {
    // A malformed id is returned as sent.
    cornerStoreId: isUUID(cornerStoreId) ? cornerStoreId.toLowerCase() : cornerStoreId,
    movementDate: readDate(`${path}movementDate`, movementDate, timeZone),
    ...orderOf(body, timeZone, path),
  };
}

/** By the first reason, which is the first that a single order would get. */
function refusedItem(outcome: BatchOutcome): RefusedItem | undefined {
  const [errorCode] = outcome.order === undefined ? outcome.reasons : [];
  if (errorCode === undefined) return undefined;
  const { cornerStoreId, wholesalerTransactionId } = outcome.item;
  const ids = { cornerStoreId, ...(wholesalerTransactionId && { wholesalerTransactionId }) };
  return { errorCode, ids };
}

function presentOutcome(outcome: BatchOutcome): t.AnswerOf<typeof batchOutcome> {
  const { order, item } = outcome;
  if (order === undefined) {
    return {
      status: 'rejected',
      rejectionReasons: outcome.reasons,
      wholesalerTransactionId: item.wholesalerTransactionId ?? null,
      cornerStoreId: item.cornerStoreId,
    };
  }
  return {
    incrementalID: order.incrementalId,
    transactionId: order.id,
    totalAmount: amountOf(order.amountCents),
    totalAmountWithInterests: amountOf(order.amountCents + order.interestCents + order.ivaCents),
    status: 'accepted',
    cornerStoreId: order.cornerStoreId,
  };
}
