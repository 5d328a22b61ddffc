import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { changedValues } from '../domain/changed-values';
import { looserSettings } from '../domain/wholesaler-settings';
import { wholesalerEvent } from '../steps/announce-changes';
import {
  changeWholesaler,
  refuseContradiction,
  type WholesalerChanges,
} from '../steps/change-wholesaler';
import { requestChange } from '../steps/request-change';

export interface UpdateWholesaler {
  by: Caller;
  wholesalerId: string;
  /** Absent fields stay unchanged. */
  changes: WholesalerChanges;
}

/**
 * Changes the named settings and publishes them. A change that makes one of them less strict waits, as a
 * whole, for a second person.
 * @throws AppError WHOLESALER_NOT_FOUND, CHANGE_ALREADY_REQUESTED
 * @throws ValidationError when the settings contradict each other after this change
 */
export async function updateWholesaler(
  context: Context,
  { by, wholesalerId, changes }: UpdateWholesaler,
): Promise<Required<WholesalerSnapshot> | ChangeRequested> {
  const updated = await context.db.transaction(async (tx) => {
    let requested: ChangeRequested | undefined;
    await changeWholesaler(tx, {
      by,
      wholesalerId,
      decide: async (before) => {
        const isGuarded = looserSettings(before, changes).length > 0;
        if (!isGuarded || !needsSecondPerson(context.config.FOUR_EYES, by)) return changes;
        refuseContradiction(before, changes);
        requested = await requestChange(tx, {
          by,
          kind: 'wholesaler.settings',
          targetId: wholesalerId,
          targetVersion: before.version,
          payload: changes,
          before: changedValues<WholesalerChanges>(before, changes).before,
          reason: null,
        });
        return undefined;
      },
    });
    return requested ?? (await wholesalerEvent(tx, wholesalerId)).current.snapshot;
  });
  context.relay.wake();
  return updated;
}
