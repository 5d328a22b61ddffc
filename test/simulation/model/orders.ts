import type { BatchItem } from '../../../services/transactions/src/domain/batch';
import type { OrderCommand } from '../house/create-orders';
import type { Operation } from '../house/house';
import { DAY_MS, MINUTE_MS } from '../world';
import {
  endOfMexicanDay,
  heardTerms,
  isOverdue,
  settingsOf,
  storeOf,
  type Model,
  type ModelOrder,
} from './model';

export type Verdict = { order: ModelOrder } | { refusals: string[] };

type BatchCommand = OrderCommand & { movementDate: Date | undefined };

/** What only ops can know better, so that it is asked before it is said. */
const ASK_FIRST = [
  'CORNER_STORE_NOT_FOUND',
  'USER_NOT_VERIFIED',
  'USER_IS_IN_INTERNAL_VALIDATION',
  'MINIMAL_TRANSACTION_REQUIRED',
  'CREDIT_LIMIT_EXCEEDED',
];

/** e7 and e6: accept on what was heard, refuse on what is true; a hold decides at its own moment. */
export function* expectOrder(model: Model, command: OrderCommand): Operation<Verdict> {
  const first = yield* judgeAndHold(model, command);
  if ('order' in first || !ASK_FIRST.includes(first.refusals[0] ?? '')) return first;
  yield;
  const unknown = first.refusals[0] === 'CORNER_STORE_NOT_FOUND';
  if (model.accountsAway && unknown) return { refusals: ['SERVICE_UNAVAILABLE'] };
  ask(model, command.wholesalerId, [command.cornerStoreId]);
  yield;
  return yield* judgeAndHold(model, command);
}

function* judgeAndHold(model: Model, command: OrderCommand): Operation<Verdict> {
  const [refusal] = refusalsOf(model, command, 0);
  if (refusal !== undefined) return { refusals: [refusal] };
  const rate = rateHeard(model, command.cornerStoreId);
  const order = newOrder(model, command, settingsOf(model, command.wholesalerId));
  yield;
  const store = storeOf(model, command.cornerStoreId);
  const terms = heardTerms(store);
  const fits =
    terms?.status === 'approved' &&
    !isOverdue(store) &&
    terms.interestRate === rate &&
    store.usedCents + command.amountCents <= terms.limitCents;
  if (!fits) return { refusals: ['CREDIT_LIMIT_EXCEEDED'] };
  if (isLive(model, command)) return { refusals: ['DUPLICATED_TRANSACTION'] };
  hold(model, order);
  if (order.code !== undefined && !command.linked) model.codesSent.push(order);
  return { order };
}

/** e8: each item takes credit from the next; all that speaks against an item is said. */
export function* expectBatch(
  model: Model,
  wholesaler: string,
  items: BatchItem[],
): Operation<Verdict[] | { refusals: string[] }> {
  const commands = items.map((item) => ({ ...item, wholesalerId: wholesaler, linked: false }));
  const doubtful = doubtfulStores(model, commands);
  if (doubtful.length > 0) {
    yield;
    const unknown = doubtful.some((id) => !isKnown(model, wholesaler, id));
    if (model.accountsAway && unknown) return { refusals: ['SERVICE_UNAVAILABLE'] };
    ask(model, wholesaler, doubtful);
  }
  yield;
  const settings = { ...settingsOf(model, wholesaler), confirmationRequired: false };
  return commands.map((command) => {
    const refusals = refusalsOf(model, command, 0).map((code) =>
      code === 'CREDIT_LIMIT_EXCEEDED' ? 'INSUFFICIENT_CREDIT' : code,
    );
    if (isLive(model, command)) refusals.push('DUPLICATED_TRANSACTION');
    if (isOfWrongAge(model, command)) refusals.push('INVALID_MOVEMENT_DATE');
    if (refusals.length > 0) return { refusals };
    const order = newOrder(model, command, settings);
    order.code = undefined;
    hold(model, order);
    return { order };
  });
}

/** Stores of whom accounts might know better, if only the order ids are all new. */
function doubtfulStores(model: Model, commands: BatchCommand[]): string[] {
  const taken = new Map<string, number>();
  const doubtful = new Set<string>();
  const numbers = new Set<string>();
  for (const command of commands) {
    const used = taken.get(command.cornerStoreId) ?? 0;
    const refusals = refusalsOf(model, command, used);
    if (refusals.some((refusal) => ASK_FIRST.includes(refusal))) {
      doubtful.add(command.cornerStoreId);
    }
    const { wholesalerTransactionId: number } = command;
    const repeated = number !== undefined && numbers.has(number);
    if (refusals.length > 0 || repeated || isOfWrongAge(model, command)) continue;
    taken.set(command.cornerStoreId, used + command.amountCents);
    if (number !== undefined) numbers.add(number);
  }
  return [...doubtful];
}

/** Movements of the future, and of more than seven days ago. */
function isOfWrongAge(model: Model, command: BatchCommand): boolean {
  const age = model.now - (command.movementDate?.getTime() ?? model.now);
  return age < 0 || age > 7 * DAY_MS;
}

function refusalsOf(model: Model, command: OrderCommand, alsoUsed: number): string[] {
  const { wholesalerId, cornerStoreId, amountCents, deliveryDate } = command;
  const store = storeOf(model, cornerStoreId);
  const terms = heardTerms(store);
  if (terms === undefined || !isKnown(model, wholesalerId, cornerStoreId)) {
    return ['CORNER_STORE_NOT_FOUND'];
  }
  const refusals: string[] = [];
  if (terms.status === 'pre-approved') refusals.push('USER_NOT_VERIFIED');
  if (terms.status === 'in-manual-validation') refusals.push('USER_IS_IN_INTERNAL_VALIDATION');
  if (isOverdue(store)) refusals.push('USER_IS_IN_DEFAULT');
  if (deliveryDate !== undefined && deliveryDate.getTime() <= model.now) {
    refusals.push('INVALID_DELIVERY_DATE');
  }
  if (amountCents < settingsOf(model, wholesalerId).minimumCents) {
    refusals.push('MINIMAL_TRANSACTION_REQUIRED');
  }
  if (store.usedCents + alsoUsed + amountCents > terms.limitCents) {
    refusals.push('CREDIT_LIMIT_EXCEEDED');
  }
  return refusals;
}

/** Accounts says what is true, of the wholesaler's own customers. */
export function ask(model: Model, wholesaler: string, stores: string[]): void {
  if (model.accountsAway) return;
  for (const id of stores) {
    const store = storeOf(model, id);
    if (model.customers.has(`${wholesaler}/${id}`)) store.heard = store.terms.length;
  }
}

function isKnown(model: Model, wholesaler: string, id: string): boolean {
  return model.customers.has(`${wholesaler}/${id}`) && storeOf(model, id).heard > 0;
}

/** A live order of that id; one that was cancelled or expired gives the id free. */
function isLive(model: Model, command: OrderCommand): boolean {
  return model.orders.some(
    ({ wholesaler, number, status }) =>
      wholesaler === command.wholesalerId &&
      number !== undefined &&
      number === command.wholesalerTransactionId &&
      status !== 'cancelled' &&
      status !== 'expired',
  );
}

function rateHeard(model: Model, store: string): string {
  return heardTerms(storeOf(model, store))?.interestRate ?? '';
}

function hold(model: Model, order: ModelOrder): void {
  model.orders.push(order);
  storeOf(model, order.store).usedCents += order.amountCents;
}

function newOrder(
  model: Model,
  command: OrderCommand,
  settings: { confirmationRequired: boolean; paymentTermDays: number },
): ModelOrder {
  const deliveryDate = command.deliveryDate?.getTime();
  return {
    id: undefined,
    wholesaler: command.wholesalerId,
    store: command.cornerStoreId,
    number: command.wholesalerTransactionId,
    status: settings.confirmationRequired ? 'pending-verification' : 'on-hold',
    amountCents: command.amountCents,
    interestRate: rateHeard(model, command.cornerStoreId),
    createdAt: model.now,
    deliveryDate,
    dueAt: endOfMexicanDay(deliveryDate ?? model.now, settings.paymentTermDays),
    code: settings.confirmationRequired
      ? {
          text: undefined,
          generation: 1,
          checks: 0,
          sends: command.linked ? 0 : 1,
          expiresAt: command.linked ? model.now : model.now + 10 * MINUTE_MS,
        }
      : undefined,
  };
}
