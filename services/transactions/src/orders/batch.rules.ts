import { foldKey } from '@fiado/contracts/fold-key';
import type { Order } from './order.rules';
import { type BATCH_REASONS, type CreditTerms, refusalsOf } from './refusal.rules';

const DAY_MS = 24 * 60 * 60_000;
/** How long ago an order of a batch may have been made. */
const MAX_MOVEMENT_AGE_MS = 7 * DAY_MS;
/** How far the clock of a driver's tablet may be ahead of the database's. */
const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/** One order of a batch (createTransactions). */
export interface BatchItem extends Order {
  movementDate: Date | undefined;
}

export type RejectionReason = (typeof BATCH_REASONS)[number];

export interface BatchDecision {
  item: BatchItem;
  /** Undefined only when the corner store is not known. */
  terms: CreditTerms | undefined;
  /** Empty when the item is accepted. */
  reasons: RejectionReason[];
}

/** Accepted items of batches that a wholesaler may still place on this day; Infinity without a limit. */
export interface BatchLeft {
  items: number;
  cents: number;
}

/** The facts that decide a batch. */
export interface BatchFacts {
  /** By corner store id. */
  terms: Map<string, CreditTerms>;
  /** The wholesaler's order ids that are live already, folded (foldKey). */
  liveOrders: Set<string>;
  left: BatchLeft;
  now: Date;
  /** Where days begin and end. */
  timeZone: string;
}

/**
 * Decides the items of a batch in order. Each accepted item reduces the credit for later items on
 * the same line, and each rejected item gets all the reasons that apply.
 */
export function decideBatch(
  items: BatchItem[],
  { terms, liveOrders, left, now: moment, timeZone }: BatchFacts,
): BatchDecision[] {
  const usedCents = new Map<string, number>();
  const orders = new Set(liveOrders);
  let { items: itemsLeft, cents: centsLeft } = left;

  return items.map((item) => {
    const known = terms.get(item.cornerStoreId);
    const used = usedCents.get(item.cornerStoreId) ?? known?.usedCents ?? 0;
    const now = known && { ...known, usedCents: used };
    const reasons = reasonsOf(item, now, { liveOrders: orders, moment, timeZone });
    if (itemsLeft <= 0 || item.amountCents > centsLeft) reasons.push('BATCH_LIMIT_EXCEEDED');
    if (reasons.length === 0) {
      itemsLeft -= 1;
      centsLeft -= item.amountCents;
      usedCents.set(item.cornerStoreId, used + item.amountCents);
      if (item.wholesalerTransactionId !== undefined)
        orders.add(foldKey(item.wholesalerTransactionId));
    }
    return { item, terms: known, reasons };
  });
}

/** Whether fresh data of accounts could accept an item. */
export function isInDoubt({ reasons }: BatchDecision): boolean {
  return reasons.some((reason) => !OWN_REASONS.includes(reason));
}

/** Reasons that do not depend on facts of accounts. */
const OWN_REASONS: RejectionReason[] = [
  'USER_IS_IN_DEFAULT',
  'INVALID_DELIVERY_DATE',
  'DUPLICATED_TRANSACTION',
  'INVALID_MOVEMENT_DATE',
];

function reasonsOf(
  item: BatchItem,
  terms: CreditTerms | undefined,
  { liveOrders, moment, timeZone }: { liveOrders: Set<string>; moment: Date; timeZone: string },
): RejectionReason[] {
  const reasons: RejectionReason[] = refusalsOf(terms, { ...item, inBatch: true }, timeZone).map(
    (refusal) => (refusal === 'CREDIT_LIMIT_EXCEEDED' ? 'INSUFFICIENT_CREDIT' : refusal),
  );
  const { wholesalerTransactionId: order } = item;
  if (order !== undefined && liveOrders.has(foldKey(order))) {
    reasons.push('DUPLICATED_TRANSACTION');
  }
  if (!isRecent(item.movementDate, moment)) reasons.push('INVALID_MOVEMENT_DATE');
  if (terms?.batchEnabled === false) reasons.push('BATCH_NOT_ENABLED');
  return reasons;
}

function isRecent(movementDate: Date | undefined, now: Date): boolean {
  if (movementDate === undefined) return true;
  const age = now.getTime() - movementDate.getTime();
  return age >= -MAX_CLOCK_AHEAD_MS && age <= MAX_MOVEMENT_AGE_MS;
}
