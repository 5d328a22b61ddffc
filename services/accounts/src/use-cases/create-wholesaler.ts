import { insertRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { WholesalerSnapshot } from '@fiado/shared/contracts/corner-store';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  DEFAULT_SETTINGS,
  settingsProblems,
  type WholesalerSettings,
} from '../domain/wholesaler-settings';
import { wholesalerEvent } from '../steps/announce-changes';
import { insertApiKey, type IssuedApiKey } from '../steps/insert-api-key';

export interface CreatedWholesaler {
  wholesaler: Required<WholesalerSnapshot>;
  key: IssuedApiKey;
}

/**
 * A wholesaler with its settings and its first key.
 * @throws ValidationError when the settings contradict each other
 */
export async function createWholesaler(
  context: Context,
  { by, name, settings }: { by: Caller; name: string; settings: Partial<WholesalerSettings> },
): Promise<CreatedWholesaler> {
  const allSettings = { ...DEFAULT_SETTINGS, ...settings };
  const problems = settingsProblems(allSettings);
  if (problems.length > 0) throw new ValidationError(problems);
  const wholesalerId = newId();

  const created = await context.db.transaction(async (tx) => {
    await insertRow(tx, 'wholesalers', { id: wholesalerId, name, ...allSettings });
    const key = await insertApiKey(context, tx, { kind: 'wholesaler', id: wholesalerId });
    const { current, event } = await wholesalerEvent(tx, wholesalerId);
    await appendToOutbox(tx, event);
    await recordAudit(tx, { by, action: 'wholesaler.created', objectId: wholesalerId });
    return { wholesaler: current.snapshot, key };
  });
  context.relay.wake();
  return created;
}
