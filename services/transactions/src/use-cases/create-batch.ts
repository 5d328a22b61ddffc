import type { Transaction } from '@fiado/chassis/db/database';
import { isUUID } from 'class-validator';
import { isUniqueViolation } from '@fiado/chassis/db/query';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { nextTurn } from '@fiado/chassis/turns';
import type { Context } from '../context';
import {
  countBatchItems,
  databaseNow,
  drawIncrementalIds,
  insertBatch,
  lockBatchItemsLeft,
  lockBatchTerms,
} from '../db/batch.repository';
import { findLiveOrders } from '../db/transactions.repository';
import {
  decideBatch,
  storesWorthAsking,
  type BatchDecision,
  type BatchItem,
  type RejectionReason,
} from '../domain/batch';
import type { NewOrder } from '../domain/order';
import { countAccepted, countRejected } from '../metrics';
import { newOrder } from '../steps/new-order';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';

export interface CreateBatch {
  wholesalerId: string;
  driverId: string;
  items: BatchItem[];
  /** An order of the sandbox is no batch of its wholesaler: its switch and daily number do not count. */
  isOfSandbox?: boolean;
}

/** The outcome of one item; all of them come in the order that they were sent in. */
export type BatchOutcome =
  | { order: NewOrder; item: BatchItem }
  | { order: undefined; item: BatchItem; reasons: RejectionReason[] };

/** A batch that lost a race for an order id is decided again; then the id counts as taken. */
const MAX_TRIES = 3;
/** Pricing and sealing this many takes a few milliseconds; then other callers get their turn. */
const ITEMS_OF_A_TURN = 100;

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
  let asked = false;
  for (let tries = 1; ;) {
    try {
      const { outcomes, inDoubt } = await context.db.transaction((tx) =>
        decideAndWrite(context, tx, command, { answerOf, asked }),
      );
      if (outcomes !== undefined) {
        context.relay.wake();
        for (const outcome of outcomes) countOutcome(outcome);
        return outcomes;
      }
      await refreshDoubtful(context, command, inDoubt);
      asked = true;
    } catch (error) {
      if (!isUniqueViolation(error, 'transactions_live_order') || tries === MAX_TRIES) throw error;
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
  const cornerStoreIds = storesWorthAsking(decisions);
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

async function decideAndWrite(
  context: Context,
  tx: Transaction,
  command: CreateBatch,
  { answerOf, asked }: { answerOf: StoreAnswer<BatchOutcome[]>; asked: boolean },
): Promise<Attempt> {
  const { wholesalerId, driverId, items, isOfSandbox = false } = command;
  const { TIME_ZONE: timeZone } = context.config;
  const itemsLeft = isOfSandbox ? Infinity : await lockBatchItemsLeft(tx, wholesalerId, timeZone);
  const terms = await lockBatchTerms(tx, wholesalerId, storesOf(command));
  if (isOfSandbox) for (const [id, one] of terms) terms.set(id, { ...one, batchEnabled: true });
  const orders = items.flatMap(({ wholesalerTransactionId: id }) => (id === undefined ? [] : [id]));
  const liveOrders = await findLiveOrders(tx, wholesalerId, orders);
  const now = await databaseNow(tx);
  await nextTurn(wholesalerId);
  const decisions = decideBatch(items, { terms, liveOrders, itemsLeft, now, timeZone });
  if (!asked && storesWorthAsking(decisions).length > 0) return { inDoubt: decisions };

  const accepted = decisions.filter(({ reasons }) => reasons.length === 0).length;
  const ids = await drawIncrementalIds(tx, accepted);
  const jobs: OutboxRow[] = [];
  const outcomes: BatchOutcome[] = [];
  for (const [index, { item, terms: known, reasons }] of decisions.entries()) {
    if (index % ITEMS_OF_A_TURN === 0) await nextTurn(wholesalerId);
    if (known === undefined || reasons.length > 0) {
      outcomes.push({ order: undefined, item, reasons });
      continue;
    }
    const placed = newOrder(
      context,
      { ...item, wholesalerId, driverId, status: 'on-hold' },
      known,
      ids.shift() ?? 0,
    );
    jobs.push(...placed.jobs);
    outcomes.push({ order: placed.order, item });
  }
  await nextTurn(wholesalerId);
  const newOrders = outcomes.flatMap(({ order }) => (order === undefined ? [] : [order]));
  if (newOrders.length > 0 && itemsLeft < Infinity) {
    await countBatchItems(tx, wholesalerId, { count: newOrders.length, timeZone });
  }
  if (newOrders.length > 0) await insertBatch(tx, newOrders, jobs);
  await storeAnswer(tx, answerOf(outcomes));
  return { outcomes };
}

function storesOf({ items }: CreateBatch): string[] {
  return [...new Set(items.map(({ cornerStoreId }) => cornerStoreId))].filter((id) => isUUID(id));
}
