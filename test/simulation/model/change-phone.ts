import { DAY_MS, found, newest, type Model, type ModelStore } from './model';

const MAX_CHANGES_PER_DAY = 3;

/**
 * A wholesaler changes the phone of a store: at most three times in a day. Where others sell to the
 * store too, its larger orders are held for a day.
 */
export function changePhone(
  model: Model,
  wholesaler: string,
  { storeId, phone }: { storeId: string; phone: string },
): string {
  const store = found(model.stores, storeId);
  const today = store.phoneChanges.filter(
    ({ by, at }) => by === wholesaler && at > model.now - DAY_MS,
  );
  if (today.length >= MAX_CHANGES_PER_DAY) return 'TOO_MANY_ATTEMPTS';
  const isShared = newest(store).customerOf.length > 1;
  const heldUntil = isShared ? model.now + DAY_MS : 0;
  store.phoneChanges.push({ by: wholesaler, at: model.now, heldUntil });
  store.phone = phone;
  publishPhoneChanges(store, wholesaler);
  return 'changed';
}

/** ops lets larger orders pass again, whichever wholesaler changed the phone. */
export function clearPhoneHold(model: Model, storeId: string): void {
  const store = found(model.stores, storeId);
  const held = store.phoneChanges.filter(({ heldUntil }) => heldUntil > model.now);
  if (held.length === 0) return;
  for (const change of held) change.heldUntil = 0;
  publishPhoneChanges(store, newest(store).phoneUnprovenBy);
}

/** A code that was sent to a phone came back, of the wholesaler that set it. */
export function provePhone(model: Model, phone: string): void {
  const store = [...model.stores.values()].find((one) => one.phone === phone);
  if (store === undefined || newest(store).phoneUnprovenBy === null) return;
  store.versions.push({ ...newest(store), phoneUnprovenBy: null });
}

function publishPhoneChanges(store: ModelStore, phoneUnprovenBy: string | null): void {
  const terms = newest(store);
  const phoneChanges = terms.customerOf.map((wholesaler) => {
    const changes = store.phoneChanges.filter(({ by }) => by === wholesaler);
    return {
      count: changes.length,
      heldUntil: Math.max(0, ...changes.map(({ heldUntil }) => heldUntil)),
    };
  });
  store.versions.push({ ...terms, phoneChanges, phoneUnprovenBy });
}
