import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { ValidationError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { changedValues } from '../domain/changed-values';
import {
  DEFAULT_SETTINGS,
  looserSettings,
  settingsProblems,
  type WholesalerSettings,
} from '../domain/wholesaler-settings';
import { addWholesaler } from '../steps/add-wholesaler';
import type { IssuedApiKey } from '../steps/insert-api-key';
import { requestChange } from '../steps/request-change';

export interface CreatedWholesaler {
  wholesaler: Required<WholesalerSnapshot>;
  key: IssuedApiKey;
}

/**
 * A wholesaler with its settings and its first key. One with a setting that is less strict than the
 * default waits for a second person, and is made when its requester collects the key.
 * @throws ValidationError when the settings contradict each other
 */
export async function createWholesaler(
  context: Context,
  { by, name, settings }: { by: Caller; name: string; settings: Partial<WholesalerSettings> },
): Promise<CreatedWholesaler | ChangeRequested> {
  const allSettings = { ...DEFAULT_SETTINGS, ...settings };
  const problems = settingsProblems(allSettings);
  if (problems.length > 0) throw new ValidationError(problems);
  const isGuarded = looserSettings(DEFAULT_SETTINGS, settings).length > 0;

  const created = await context.db.transaction(async (tx) => {
    if (!isGuarded || !needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addWholesaler(context, tx, { by, name, settings: allSettings });
    }
    return requestChange(tx, {
      by,
      kind: 'wholesaler.create',
      targetId: null,
      targetVersion: null,
      payload: { name, ...settings },
      before: changedValues<Partial<WholesalerSettings>>(DEFAULT_SETTINGS, settings).before,
      reason: null,
    });
  });
  context.relay.wake();
  return created;
}
