import type { Context } from '../context';
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

/** A page of the corner stores that ops looks for, newest first. */
export async function listCornerStores(
  { db }: Context,
  filter: Omit<DetailsFilter, 'limit'>,
): Promise<CornerStorePage> {
  // One more than a page tells whether another follows.
  const found = await listCornerStoreDetails(db, { ...filter, limit: PAGE_SIZE + 1 });
  const cornerStores = found.slice(0, PAGE_SIZE);
  return { cornerStores, next: found.length > PAGE_SIZE ? cornerStores.at(-1) : undefined };
}
