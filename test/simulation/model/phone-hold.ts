import { found, phoneChangesOf, type Model, type ModelOrder, type ModelStore } from './model';

/** While a changed phone is held: of all orders of the wholesaler that rely on the new number. */
export const MAX_HELD_CENTS = 500_000;

/** Whether a wholesaler's orders for the store are held, as it changed its phone. */
export function isHeld(model: Model, store: ModelStore, wholesaler: string): boolean {
  return phoneChangesOf(store, wholesaler).heldUntil > model.now;
}

/** Whether the order's code went to a number that nobody proved. */
export function isUnproven(store: ModelStore, { wholesaler, phoneChanges }: ModelOrder): boolean {
  return (phoneChanges ?? 0) > (store.changesBeforeHold.get(wholesaler) ?? 0);
}

/** The sum of a wholesaler's live orders that rely on such numbers. */
export function heldCents(
  model: Model,
  store: ModelStore,
  { wholesaler, except }: { wholesaler: string; except?: ModelOrder },
): number {
  return [...model.orders.values()]
    .filter((order) => order.store === store.id && order.wholesaler === wholesaler)
    .filter(({ status }) => status !== 'cancelled' && status !== 'expired')
    .filter((order) => order.id !== except?.id && isUnproven(store, order))
    .reduce((cents, { amountCents }) => cents + amountCents, 0);
}

/** Whether an order may go on with the number that its wholesaler set. */
export function fitsHold(model: Model, order: ModelOrder): boolean {
  const { wholesaler, amountCents } = order;
  const store = found(model.stores, order.store);
  if (!isHeld(model, store, wholesaler)) return true;
  return heldCents(model, store, { wholesaler, except: order }) + amountCents <= MAX_HELD_CENTS;
}
