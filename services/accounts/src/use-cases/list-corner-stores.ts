import type { Caller } from '@fiado/contracts/caller';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  listCornerStoreDetails,
  type CornerStoreDetails,
  type Cursor,
  type DetailsFilter,
} from '../db/corner-store-details.repository';

/** Corner stores on one page. */
const PAGE_SIZE = 100;

export interface CornerStorePage {
  cornerStores: CornerStoreDetails[];
  /** Where the next page begins; undefined on the last one. */
  next: Cursor | undefined;
}

export interface ListCornerStores {
  by: Caller;
  /** Whether the caller gets them without personal data. */
  masked: boolean;
  filter: Omit<DetailsFilter, 'limit'>;
}

/** A page of corner stores for ops, newest first. The shown stores are audited. */
export async function listCornerStores(
  { db }: Context,
  { by, masked, filter }: ListCornerStores,
): Promise<CornerStorePage> {
  // One row more than a page shows whether another page follows.
  const found = await listCornerStoreDetails(db, { ...filter, limit: PAGE_SIZE + 1 });
  const cornerStores = found.slice(0, PAGE_SIZE);
  if (!masked && cornerStores.length > 0) {
    const details = { cornerStoreIds: cornerStores.map(({ cornerStoreId }) => cornerStoreId) };
    await recordAudit(db, { by, action: 'corner-stores.listed', objectId: null, details });
  }
  return { cornerStores, next: found.length > PAGE_SIZE ? cornerStores.at(-1) : undefined };
}
