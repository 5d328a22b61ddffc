import type { CornerStoreSnapshot, Versioned } from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { keepCornerStore } from '../steps/keep-corner-store';

/** Stores what accounts knows of a corner store, unless a newer version is stored. */
export async function applyCornerStoreEvent(
  context: Context,
  changed: Versioned<CornerStoreSnapshot>,
): Promise<void> {
  await keepCornerStore(context, changed);
}
