import type { Operation } from '../house/house';
import { MINUTE_MS } from '../world';
import {
  endOf,
  endOfMexicanDay,
  heardTerms,
  microsOf,
  settingsOf,
  share,
  storeOf,
  type Model,
  type ModelOrder,
} from './model';
import { ask } from './orders';

/** e11: five checks of a code, right or wrong; ten minutes; counted before it is compared. */
export function* expectConfirmation(
  model: Model,
  order: ModelOrder,
  text: string,
): Operation<string> {
  if (isGivenUp(order)) return 'VERIFICATION_NOT_VALID';
  if (order.status !== 'pending-verification') return 'TRANSACTION_IS_VERIFIED';
  yield;
  const { code } = order;
  if (code === undefined || isGivenUp(order)) return 'VERIFICATION_NOT_VALID';
  const alive =
    order.status === 'pending-verification' && code.checks < 5 && model.now < code.expiresAt;
  if (alive) code.checks += 1;
  if (!alive || text !== code.text) return 'VERIFICATION_NOT_VALID';
  const { generation } = code;
  yield;
  // A twin was faster, or it was cancelled just now.
  if (order.status !== 'pending-verification') return 'TRANSACTION_IS_VERIFIED';
  if (code.generation !== generation || model.now >= code.expiresAt) {
    return 'VERIFICATION_NOT_VALID';
  }
  order.status = 'on-hold';
  return 'approved';
}

/** e12, and the first opening of a link: the same code while it is good for two minutes. */
export function expectResend(model: Model, order: ModelOrder): string {
  if (isGivenUp(order)) return 'VERIFICATION_NOT_FOUND';
  if (order.status !== 'pending-verification') return 'TRANSACTION_IS_VERIFIED';
  const { code } = order;
  if (code === undefined) throw new Error('What waits for a code has one');
  if (code.sends === 5) return 'TOO_MANY_ATTEMPTS';
  code.sends += 1;
  const good = code.checks < 5 && code.expiresAt - model.now >= 2 * MINUTE_MS;
  if (!good) {
    code.generation += 1;
    code.text = undefined;
    code.checks = 0;
    code.expiresAt = model.now + 10 * MINUTE_MS;
  }
  model.codesSent.push(order);
  return 'sent';
}

/** e10: less is fine, more only within the overage and the credit that is there. */
export function* expectDelivery(
  model: Model,
  order: ModelOrder,
  amountCents: number,
): Operation<string> {
  if (order.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
  yield;
  const first = book(model, order, amountCents);
  if (first !== 'CREDIT_LIMIT_EXCEEDED') return first;
  yield;
  ask(model, order.wholesaler, [order.store]);
  yield;
  return book(model, order, amountCents);
}

function book(model: Model, order: ModelOrder, amountCents: number): string {
  if (order.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
  const { overageRate, paymentTermDays } = settingsOf(model, order.wholesaler);
  if (amountCents > order.amountCents + share(order.amountCents, microsOf(overageRate))) {
    return 'TRANSACTION_AMOUNT_NOT_ALLOWED';
  }
  const store = storeOf(model, order.store);
  const usedCents = store.usedCents - order.amountCents + amountCents;
  const limitCents = heardTerms(store)?.limitCents ?? 0;
  if (amountCents > order.amountCents && usedCents > limitCents) return 'CREDIT_LIMIT_EXCEEDED';
  store.usedCents = usedCents;
  order.owedCents = amountCents;
  order.status = 'delivered';
  order.amountCents = amountCents;
  order.dueAt = endOfMexicanDay(model.now, paymentTermDays);
  return 'delivered';
}

export function expectCancellation(model: Model, order: ModelOrder): string {
  if (order.status !== 'pending-verification' && order.status !== 'on-hold') {
    return 'TRANSACTION_IS_NOT_IN_HOLD';
  }
  giveUp(model, order, 'cancelled');
  return 'cancelled';
}

export function expectExpiries(model: Model): void {
  for (const order of model.orders) {
    if (endOf(order) <= model.now) giveUp(model, order, 'expired');
  }
}

function giveUp(model: Model, order: ModelOrder, status: 'cancelled' | 'expired'): void {
  storeOf(model, order.store).usedCents -= order.amountCents;
  order.status = status;
}

function isGivenUp({ status }: ModelOrder): boolean {
  return status === 'cancelled' || status === 'expired';
}
