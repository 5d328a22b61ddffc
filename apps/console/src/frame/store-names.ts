import { type Html } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { link, named, textOf } from './formats';
import { firstPage, unlessDown } from './lists';
import type { Visit } from './visit';

type Store = Pick<Schema<'CornerStoreDetails'>, 'firstName' | 'lastNames' | 'cornerStoreName'>;

/** Stores with their names, by their ids. */
export type StoreNames = ReadonlyMap<string, Schema<'CornerStoreDetails'> & { name: string }>;

/**
 * As the lender's people call a store: its own name, else its owner's. A viewer gets initials. A dash once
 * both are erased.
 */
export function storeNameOf({ firstName, lastNames, cornerStoreName }: Store): string {
  return cornerStoreName ?? textOf(`${firstName} ${lastNames}`.trim());
}

/** The names of the stores that rows of a page are about, in one call; none while accounts does not answer. */
export async function storeNames(
  { viewer }: Visit,
  rows: ReadonlyArray<{ cornerStoreId: string | null }>,
): Promise<StoreNames> {
  const wanted = [...new Set(rows.map((row) => row.cornerStoreId).filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const asked = { cornerStoreIds: wanted.join(',') };
  const found = await unlessDown(firstPage(viewer.ops.cornerStores.list(asked)));
  return new Map(
    found?.cornerStores.map((store) => [
      store.cornerStoreId,
      { ...store, name: storeNameOf(store) },
    ]),
  );
}

/** A store as a link with its name; without one, what else names it. */
export function storeLink(names: StoreNames, cornerStoreId: string, otherwise: string): Html {
  const name = names.get(cornerStoreId)?.name ?? otherwise;
  return link(`/tiendas/${cornerStoreId}`, named(name));
}
