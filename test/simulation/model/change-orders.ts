import { askAccounts } from './ask-accounts';
import {
  copyOf,
  DAY_MS,
  endOfDay,
  found,
  HOUR_MS,
  isOverdue,
  MINUTE_MS,
  phoneChangesOf,
  priceOf,
  share,
  sum,
  type Model,
  type ModelOrder,
  type ModelStore,
  type Parts,
} from './model';
import { endIfCredited } from './disputes';
import { fitsHold, isUnproven } from './phone-hold';
import { leftToPay, payableFromOfCorrection } from './statements';

const CODE_LIFE_MS = 10 * MINUTE_MS;
/** A resend repeats a code that is good for at least this long. */
const MIN_LIFE_TO_REPEAT_MS = 2 * MINUTE_MS;
const MAX_CHECKS = 5;
/** In a day, for one wholesaler and store. */
const MAX_WRONG_CODES = 20;
const MAX_SENDS = 5;
const UNCONFIRMED_LIFE_MS = 24 * HOUR_MS;
const ON_HOLD_LIFE_MS = 30 * DAY_MS;

/**
 * A code is valid for ten minutes, and until five wrong ones were given for it. After twenty
 * wrong ones in a day, over all orders of the wholesaler and the store, none is checked.
 */
export function confirm(model: Model, order: ModelOrder, text: string): string {
  if (hasEnded(order)) return 'VERIFICATION_NOT_VALID';
  const { code } = order;
  if (order.status !== 'pending-verification' || code === undefined) {
    return 'TRANSACTION_IS_VERIFIED';
  }
  if (isVoid(model, order)) return 'VERIFICATION_NOT_VALID';
  if (code.checks >= MAX_CHECKS || model.now >= code.expiresAt) return 'VERIFICATION_NOT_VALID';
  const store = found(model.stores, order.store);
  const { wrongCodes } = store;
  const before = wrongCodes.get(order.wholesaler);
  const inWindow = before !== undefined && before.since > model.now - DAY_MS;
  if (inWindow && before.count >= MAX_WRONG_CODES) return 'TOO_MANY_ATTEMPTS';
  if (text !== code.text) {
    code.checks += 1;
    const count = inWindow ? before.count + 1 : 1;
    wrongCodes.set(order.wholesaler, { count, since: inWindow ? before.since : model.now });
    return 'VERIFICATION_NOT_VALID';
  }
  if (!mayBuy(store) || !fitsHold(model, order)) {
    askAccounts(model, order.wholesaler, [order.store]);
    // The order and its code stay pending.
    if (isVoid(model, order) || !mayBuy(store) || !fitsHold(model, order)) {
      return 'VERIFICATION_NOT_VALID';
    }
  }
  order.status = 'on-hold';
  return 'approved';
}

/** Whether the store may take credit: a rejected or defaulting one may not. */
function mayBuy(store: ModelStore): boolean {
  return copyOf(store)?.status === 'approved' && !isOverdue(store);
}

/** A code is good for the phone that it went to. */
function isVoid(model: Model, { store, wholesaler, code }: ModelOrder): boolean {
  return code?.phoneChanges !== phoneChangesOf(found(model.stores, store), wholesaler).count;
}

/** Sends the same code while it is good for two minutes, else a new one; five times in all. */
export function resendCode(model: Model, order: ModelOrder): string {
  if (hasEnded(order)) return 'VERIFICATION_NOT_FOUND';
  const { code } = order;
  if (order.status !== 'pending-verification' || code === undefined) {
    return 'TRANSACTION_IS_VERIFIED';
  }
  if (code.sends >= MAX_SENDS || !fitsHold(model, order)) return 'TOO_MANY_ATTEMPTS';
  code.sends += 1;
  const repeats =
    !isVoid(model, order) &&
    code.checks < MAX_CHECKS &&
    code.expiresAt - model.now >= MIN_LIFE_TO_REPEAT_MS;
  code.phoneChanges = phoneChangesOf(found(model.stores, order.store), order.wholesaler).count;
  order.phoneChanges = code.phoneChanges;
  if (!repeats) {
    Object.assign(code, { text: undefined, checks: 0, expiresAt: model.now + CODE_LIFE_MS });
  }
  return 'sent';
}

/** The page behind a link sends the code when it is opened for the first time. */
export function openLink(model: Model, order: ModelOrder): string {
  if (hasEnded(order)) return 'ended';
  if (order.status !== 'pending-verification') return 'confirmed';
  const sent = order.code?.sends === 0 ? resendCode(model, order) : 'sent';
  return sent === 'sent' ? 'waiting' : sent;
}

/** Less than ordered is always fine; more only within the overage and the credit. */
export function deliver(model: Model, order: ModelOrder, amountCents: number): string {
  const first = bookDelivery(model, order, amountCents);
  if (first !== 'CREDIT_LIMIT_EXCEEDED') return first;
  askAccounts(model, order.wholesaler, [order.store]);
  return bookDelivery(model, order, amountCents);
}

function bookDelivery(model: Model, order: ModelOrder, amountCents: number): string {
  if (order.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
  if (amountCents > order.amountCents + share(order.amountCents, order.overageRate)) {
    return 'TRANSACTION_AMOUNT_NOT_ALLOWED';
  }
  const store = found(model.stores, order.store);
  const usedCents = store.usedCents - order.amountCents + amountCents;
  const limitCents = copyOf(store)?.limitCents ?? 0;
  const takesCredit = amountCents > order.amountCents;
  if (takesCredit && (!mayBuy(store) || usedCents > limitCents)) return 'CREDIT_LIMIT_EXCEEDED';
  const fits = !isUnproven(store, order) || fitsHold(model, { ...order, amountCents });
  if (takesCredit && !fits) return 'CREDIT_LIMIT_EXCEEDED';
  store.usedCents = usedCents;
  Object.assign(order, {
    status: 'delivered',
    amountCents,
    deliveredAt: model.now,
    dueAt: endOfDay(model.now, order.timeZone, order.paymentTermDays),
    payment: { version: 0, owedCents: amountCents, paid: false },
  });
  const hold = copyOf(found(model.wholesalers, order.wholesaler))?.paymentTermDays ?? 0;
  model.lines.set(order.id, {
    order: order.id,
    wholesaler: order.wholesaler,
    grossCents: amountCents,
    commissionCents: share(amountCents, order.commissionRate),
    at: model.now,
    payableFrom: model.now + hold * DAY_MS,
    number: null,
  });
  return 'delivered';
}

/**
 * Goods of a delivered order come back, within 60 days: never more than was delivered. What goes with
 * them is the price before less the price after. It waits for the lender where the wholesaler would then
 * owe money. One that is booked ends one that waits.
 * @returns what the store owes less, in cents
 */
export function credit(
  model: Model,
  order: ModelOrder,
  { cents, id }: { cents: number; id: string },
): number | string {
  const { deliveredAt, credits } = order;
  if (deliveredAt === undefined || model.now - deliveredAt > 60 * DAY_MS) {
    return 'TRANSACTION_NOT_CREDITABLE';
  }
  const creditedCents = [...credits.values()].reduce((so, parts) => so + parts[2], 0);
  const leftCents = order.amountCents - creditedCents;
  if (cents > leftCents) return 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED';
  const before = priceOf({ ...order, amountCents: leftCents });
  const after = priceOf({ ...order, amountCents: leftCents - cents });
  const parts: Parts = [before[0] - after[0], before[1] - after[1], before[2] - after[2]];
  const commissionCents =
    share(leftCents - cents, order.commissionRate) - share(leftCents, order.commissionRate);
  const line = {
    order: order.id,
    wholesaler: order.wholesaler,
    grossCents: -cents,
    commissionCents,
    at: model.now,
    payableFrom: payableFromOfCorrection(model, order.id),
    number: null,
  };
  if (leftToPay(model, line) < 0) {
    const waiting = model.waitingCredits.get(order.id) ?? cents;
    if (waiting !== cents) return 'CHANGE_ALREADY_REQUESTED';
    model.waitingCredits.set(order.id, cents);
    return 'waits';
  }
  model.waitingCredits.delete(order.id);
  credits.set(id, parts);
  model.lines.set(id, line);
  endIfCredited(model, order);
  return sum(parts);
}

export function cancel(model: Model, order: ModelOrder): string {
  if (order.status !== 'pending-verification' && order.status !== 'on-hold') {
    return 'TRANSACTION_IS_NOT_IN_HOLD';
  }
  release(model, order, 'cancelled');
  return 'cancelled';
}

/** Expires every order whose time is over. */
export function expire(model: Model): void {
  for (const order of model.orders.values()) {
    if (expiryOf(order) <= model.now) release(model, order, 'expired');
  }
}

function expiryOf({ status, createdAt, deliveryDate }: ModelOrder): number {
  if (status === 'pending-verification') return createdAt + UNCONFIRMED_LIFE_MS;
  if (status === 'on-hold') return Math.max(createdAt, deliveryDate ?? 0) + ON_HOLD_LIFE_MS;
  return Infinity;
}

function release(model: Model, order: ModelOrder, status: 'cancelled' | 'expired'): void {
  found(model.stores, order.store).usedCents -= order.amountCents;
  order.status = status;
}

function hasEnded({ status }: ModelOrder): boolean {
  return status === 'cancelled' || status === 'expired';
}
