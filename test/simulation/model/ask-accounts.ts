import { copyStore, found, newest, type Model } from './model';

/**
 * transactions asks accounts about a wholesaler and some of its customers, and copies the answer.
 * @returns false when accounts cannot be reached
 */
export function askAccounts(model: Model, wholesalerId: string, storeIds: string[]): boolean {
  if (!model.accountsUp) return false;
  const wholesaler = found(model.wholesalers, wholesalerId);
  wholesaler.copied = wholesaler.versions.length;
  for (const id of storeIds) {
    const store = found(model.stores, id);
    if (newest(store).customerOf.includes(wholesalerId))
      copyStore(model, store, store.versions.length);
  }
  return true;
}
