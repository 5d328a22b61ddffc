import { DAY_MS, type Model, type ModelDispute, type ModelOrder } from './model';

/** Most days that a dispute adds before a default. */
const MAX_LATER_DAYS = 7;

function openDisputeOf(model: Model, order: string): ModelDispute | undefined {
  return [...model.disputes.values()].find((one) => one.order === order && one.days === null);
}

/** No statement has the lines of an order whose dispute is open. */
export function isDisputed(model: Model, order: string): boolean {
  return openDisputeOf(model, order) !== undefined;
}

/** A delivered order that is not all credited is disputed once at a time. */
export function dispute(model: Model, order: ModelOrder, id: string): string {
  if (order.deliveredAt === undefined || leftOf(order) <= 0) return 'TRANSACTION_NOT_DISPUTABLE';
  if (isDisputed(model, order.id)) return 'DISPUTE_ALREADY_OPEN';
  model.disputes.set(id, { order: order.id, openedAt: model.now, days: null, told: 0 });
  return 'disputed';
}

/** The lender decides that the store owes the order, unless a credit note waits. */
export function keep(model: Model, order: string): string {
  if (model.waitingCredits.has(order)) return 'CHANGE_ALREADY_REQUESTED';
  end(model, order);
  return 'kept';
}

/** A note that credits the rest of an order ends its dispute. */
export function endIfCredited(model: Model, order: ModelOrder): void {
  if (leftOf(order) <= 0) end(model, order.id);
}

function end(model: Model, order: string): void {
  const open = openDisputeOf(model, order);
  if (open === undefined) return;
  const days = Math.ceil((model.now - open.openedAt) / DAY_MS);
  open.days = Math.min(MAX_LATER_DAYS, Math.max(1, days));
}

function leftOf({ amountCents, credits }: ModelOrder): number {
  return [...credits.values()].reduce((left, parts) => left - parts[2], amountCents);
}

/** Payments keeps the newest of a dispute. */
export function receiveDispute(model: Model, id: string, version: number): void {
  const known = model.disputes.get(id);
  if (known !== undefined) known.told = Math.max(known.told, version);
}

/** The last moment to pay of a debt, as payments knows: one that is open adds the most days. */
export function lastMoment(model: Model, debt: { order: string; dueAt: number }): number {
  const days = [...model.disputes.values()]
    .filter(({ order, told }) => order === debt.order && told > 0)
    .reduce((sum, one) => sum + (one.told === 1 ? MAX_LATER_DAYS : (one.days ?? 0)), 0);
  return debt.dueAt + days * DAY_MS;
}
