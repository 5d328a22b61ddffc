import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  lockOwner,
  storeWantsEvents,
  wantsEvents,
  type EventOwner,
} from '../db/event-owners.repository';
import { countEndpoints } from '../db/webhook-endpoints.repository';
import { switchEventsOn, switchPublishers } from '../steps/switch-events';

/**
 * Switches the events of a wholesaler or payment provider on or off.
 * @throws AppError WEBHOOK_ENDPOINTS_NEED_EVENTS when they are switched off for an owner with webhook
 *   endpoints, which would be silent without a reason that anybody sees
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function changeEventSettings(
  context: Pick<Context, 'db' | 'senders'>,
  { owner, enabled }: { owner: EventOwner; enabled: boolean },
): Promise<{ enabled: boolean }> {
  if (enabled) await switchEventsOn(context, owner);
  else await switchEventsOff(context, owner);
  return { enabled };
}

async function switchEventsOff(
  context: Pick<Context, 'db' | 'senders'>,
  owner: EventOwner,
): Promise<void> {
  const { db } = context;
  await db.transaction(async (tx) => {
    await lockOwner(tx, owner);
    if ((await countEndpoints(tx, owner.id)) > 0) {
      throw new AppError('WEBHOOK_ENDPOINTS_NEED_EVENTS');
    }
    await storeWantsEvents(tx, owner, false);
  });
  await switchPublishers(context, owner, false);
  // They were switched on again meanwhile: the publishers may have been told in the other order.
  if (await wantsEvents(db, owner.id)) await switchPublishers(context, owner, true);
}
