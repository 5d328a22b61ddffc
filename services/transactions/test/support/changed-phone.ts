import type { CornerStoreSnapshot } from '@fiado/contracts/corner-store';
import { wholesaler } from '@fiado/chassis/testing/callers';
import type { CornerStore, TransactionsService } from './transactions';

export const NEW_PHONE = '+525587654321';

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A store of two wholesalers, and the second of them as it sees the store. */
export async function createSharedCornerStore(transactions: TransactionsService): Promise<{
  store: CornerStore;
  neighbour: CornerStore;
  customers: Links;
}> {
  const [caller, other] = [wholesaler(), wholesaler()];
  const customers = [
    { wholesalerId: caller.id, externalId: 'tienda-1' },
    { wholesalerId: other.id, externalId: 'tienda-1' },
  ];
  const store = await transactions.createCornerStore({
    caller,
    store: { customers, creditLimitCents: 9_000_000 },
  });
  const neighbour = await transactions.createCornerStore({
    caller: other,
    store: { ...storeIds(store), customers, creditLimitCents: 9_000_000 },
  });
  return { store, neighbour, customers };
}

type Links = CornerStoreSnapshot['customers'];
export const storeIds = ({ cornerStoreId, userId }: CornerStore) => ({ cornerStoreId, userId });

/** Publishes that the corner store's wholesaler changed the phone, as accounts does. */
export function changePhone(
  transactions: TransactionsService,
  { store, customers }: { store: CornerStore; customers: Links },
  {
    version = 2,
    phoneHeldUntil = inHours(24),
  }: { version?: number; phoneHeldUntil?: string | null } = {},
): Promise<CornerStore> {
  return transactions.createCornerStore({
    caller: store.caller,
    version,
    store: {
      ...storeIds(store),
      creditLimitCents: 9_000_000,
      phoneSealed: transactions.sealedPhone(store.cornerStoreId, NEW_PHONE),
      phoneUnprovenBy: store.caller.id,
      customers: customers.map((link) => {
        const isOwn = link.wholesalerId === store.caller.id;
        return {
          wholesalerId: link.wholesalerId,
          externalId: link.externalId,
          phoneChanges: isOwn ? version - 1 : 0,
          phoneHeldUntil: isOwn ? phoneHeldUntil : null,
        };
      }),
    },
  });
}
