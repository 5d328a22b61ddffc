import {
  IsOptional,
  IsString,
  isUUID,
  MaxLength,
  MinLength,
} from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import type { RefusedItem } from '@fiado/chassis/refusals/refusal';
import { nextTurn } from '@fiado/chassis/turns';
import { About } from '@fiado/contracts/about';
import { BATCH_BODY_LIMIT, BATCH_MAX_VALUES } from '@fiado/contracts/body-limits';
import { IsArrayOf, IsDateText, IsMetadata } from '@fiado/contracts/decorators';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { lockBatchTerms } from '../credit-lines/credit-terms.sql';
import { countAccepted, countRejected } from '../metrics';
import {
  type BatchDecision,
  type BatchItem,
  decideBatch,
  isInDoubt,
  type RejectionReason,
} from './batch.rules';
import {
  countBatch,
  drawIncrementalIds,
  insertBatch,
  lockBatchLeft,
  lockOrderIds,
} from './batch.sql';
import { isOrderIdTaken } from './hold.sql';
import { exampleOrder, OrderBody, orderOf } from './order-body';
import { orderNumber, transactionFields } from './order-view';
import type { NewOrder } from './order.rules';
import { findLiveOrders } from './order.sql';
import { priceOrder } from './price-order';
import { BATCH_REASONS } from './refusal.rules';

/** Orders of one batch: their lines are locked together, so the time that takes is bounded. */
const MAX_ITEMS = 500;

class BatchItemBody extends OrderBody {
  /** A malformed id rejects only its item. */
  @IsString()
  cornerStoreId: string;

  @About(
    'Time of the order in the wholesaler’s system; stored with the order',
    '2026-11-22T16:05:00.000Z',
  )
  @IsOptional()
  @IsDateText()
  movementDate?: string;

  @IsMetadata()
  metadata: object;
}

class CreateBatchBody {
  @About('Orders to create, each accepted or rejected by itself')
  @IsArrayOf(() => BatchItemBody, { min: 1, max: MAX_ITEMS })
  transactions: BatchItemBody[];

  @IsString()
  @MinLength(1)
  @MaxLength(100)
  driverId: string;
}

/** The result of an item, at the item's index. */
const batchOutcome = t.either(
  t.object('AcceptedBatchItem', {
    incrementalID: orderNumber,
    transactionId: fields.transactionId,
    totalAmount: fields.totalAmount,
    totalAmountWithInterests: transactionFields.totalAmountWithInterests,
    status: t.field(t.constant('accepted'), 'Always `accepted`'),
    cornerStoreId: fields.cornerStoreId,
  }),
  t.object('RejectedBatchItem', {
    status: t.field(t.constant('rejected'), 'Always `rejected`'),
    rejectionReasons: t.list(t.oneOf(BATCH_REASONS), 'Error codes for which the order is rejected'),
    wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
    cornerStoreId: t.field(
      t.text,
      'Id of the corner store. As it was sent',
      '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
    ),
  }),
);

const { transactionId, cornerStoreId } = EXAMPLE_IDS;

export const createBatchEndpoint = endpoint({
  id: 'createTransactions',
  as: 'transactions.createBatch',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/batch',
  scope: 'transactions:write',
  names: { cornerStoreId: 'corner-store' },
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  summary: 'Create several transactions',
  description:
    'The answer has one element for each order, in order. Accepted orders are `on-hold` at once, without a code. ' +
    'An order is rejected with every reason that applies. `movementDate` may be at most 7 days in ' +
    'the past and 5 minutes in the future; a date alone means the start of that day. ' +
    '`BATCH_NOT_ENABLED`: the lender has switched batches off for you; `BATCH_LIMIT_EXCEEDED`: your daily number of ' +
    'items is used up, or the order exceeds what is left of your daily amount.',
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

/** The refusal of an item, with its first reason: the one that a single order would be refused for. */
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

interface CreateBatch {
  wholesalerId: string;
  driverId: string;
  items: BatchItem[];
  /** The sandbox places orders this way too. The switch for batches and the daily number do not apply to them. */
  isOfSandbox?: boolean;
}

/** The outcome of one item. Outcomes are in the order of the items. */
type BatchOutcome =
  | { order: NewOrder; item: BatchItem }
  | { order: undefined; item: BatchItem; reasons: RejectionReason[] };

/**
 * Attempts to write a batch. A batch that lost a race for an order id is decided again; the id then counts as taken.
 */
const MAX_TRIES = 3;

/**
 * Many orders at once, without codes (createTransactions): each accepted item is on hold at once,
 * and the store gets its delivery word. One database transaction locks the lines in the order of
 * their ids, decides in the order of the input and writes all or nothing. If it would refuse items,
 * it first calls accounts, at most once.
 */
export async function createBatch(
  context: Context,
  command: CreateBatch,
  answerOf: StoreAnswer<BatchOutcome[]>,
): Promise<BatchOutcome[]> {
  let isRefreshed = false;
  for (let tries = 1; ;) {
    try {
      const { outcomes, inDoubt } = await context.db.transaction((tx) =>
        decideAndWrite(context, tx, command, { answerOf, isRefreshed }),
      );
      if (outcomes !== undefined) {
        context.relay.wake();
        for (const outcome of outcomes) countOutcome(outcome);
        return outcomes;
      }
      await refreshDoubtful(context, command, inDoubt);
      isRefreshed = true;
    } catch (error) {
      if (!isOrderIdTaken(error) || tries === MAX_TRIES) throw error;
      tries += 1;
    }
  }
}

function countOutcome(outcome: BatchOutcome): void {
  if (outcome.order !== undefined) countAccepted('batch');
  else countRejected('batch', outcome.reasons[0] ?? 'none');
}

/** Fetches every store from accounts whose items would be refused on local data. */
async function refreshDoubtful(
  context: Context,
  { wholesalerId }: CreateBatch,
  decisions: BatchDecision[],
): Promise<void> {
  const cornerStoreIds = storesInDoubt(decisions);
  await refreshCreditTerms(context, { wholesalerId, cornerStoreIds }).catch((error: unknown) => {
    // accounts is unavailable: the local copy decides, if it has every store.
    if (decisions.some(({ item, terms }) => terms === undefined && isUUID(item.cornerStoreId)))
      throw error;
  });
}

/** Writes the whole batch, or nothing if accounts has to be called first. */
type Attempt =
  | { outcomes: BatchOutcome[]; inDoubt?: undefined }
  | { outcomes?: undefined; inDoubt: BatchDecision[] };

/** Pricing and sealing this many takes a few milliseconds; then other callers get their turn. */
const ITEMS_OF_A_TURN = 100;

async function decideAndWrite(
  context: Context,
  tx: Transaction,
  command: CreateBatch,
  { answerOf, isRefreshed }: { answerOf: StoreAnswer<BatchOutcome[]>; isRefreshed: boolean },
): Promise<Attempt> {
  const { wholesalerId, driverId, items, isOfSandbox = false } = command;
  const { TIME_ZONE: timeZone } = context.config;
  const left = isOfSandbox
    ? { items: Infinity, cents: Infinity }
    : await lockBatchLeft(tx, wholesalerId, timeZone);
  const terms = await lockBatchTerms(tx, wholesalerId, storesOf(items));
  if (isOfSandbox) for (const [id, one] of terms) terms.set(id, { ...one, batchEnabled: true });
  const orderIds = items.flatMap(({ wholesalerTransactionId: id }) => id ?? []);
  await lockOrderIds(tx, wholesalerId, orderIds);
  const liveOrders = await findLiveOrders(tx, wholesalerId, orderIds);
  const now = await timeOf(tx);
  await nextTurn(wholesalerId);
  const decisions = decideBatch(items, { terms, liveOrders, left, now, timeZone });
  if (!isRefreshed && storesInDoubt(decisions).length > 0) return { inDoubt: decisions };

  const accepted = decisions.filter(({ reasons }) => reasons.length === 0).length;
  const ids = await drawIncrementalIds(tx, accepted);
  const placed: Array<{ order: NewOrder; jobs: OutboxRow[] }> = [];
  const outcomes: BatchOutcome[] = [];
  for (const [index, { item, terms: known, reasons }] of decisions.entries()) {
    if (index % ITEMS_OF_A_TURN === 0) await nextTurn(wholesalerId);
    if (known === undefined || reasons.length > 0) {
      outcomes.push({ order: undefined, item, reasons });
      continue;
    }
    const priced = priceOrder(
      context,
      { ...item, wholesalerId, driverId, status: 'on-hold' },
      known,
      ids.shift() ?? 0,
    );
    placed.push(priced);
    outcomes.push({ order: priced.order, item });
  }
  await nextTurn(wholesalerId);
  if (placed.length > 0 && Math.min(left.items, left.cents) < Infinity) {
    const cents = placed.reduce((sum, { order }) => sum + order.amountCents, 0);
    await countBatch(tx, wholesalerId, { items: placed.length, cents, timeZone });
  }
  if (placed.length > 0) await insertBatch(tx, placed);
  await storeAnswer(tx, answerOf(outcomes));
  return { outcomes };
}

function storesInDoubt(decisions: BatchDecision[]): string[] {
  return storesOf(decisions.filter(isInDoubt).map(({ item }) => item));
}

/** An id that is no UUID belongs to no corner store. */
function storesOf(items: BatchItem[]): string[] {
  return [...new Set(items.map(({ cornerStoreId }) => cornerStoreId))].filter((id) => isUUID(id));
}
