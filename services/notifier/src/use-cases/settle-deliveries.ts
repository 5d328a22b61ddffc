import { eventIdOf } from '@fiado/contracts/events';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { insertEvent } from '../db/insert-event';
import {
  holdPending,
  releaseLapsed,
  SETTLE_DELIVERIES_BATCH,
  takeUntold,
} from '../db/settle-deliveries';
import { countDisabled } from '../metrics-webhooks';

/**
 * One round: gives back deliveries whose sender was lost, holds those of endpoints that are not
 * enabled, and tells owners of disabled endpoints.
 * @returns whether there may be more
 */
export async function settleDeliveries(context: Context): Promise<boolean> {
  const { db, log, webhookSender } = context;
  const released = await releaseLapsed(db);
  if (released > 0) {
    log.warn({ released }, 'webhooks whose sender was lost will be sent again');
    webhookSender.wake();
  }
  const held = await holdPending(db);
  const told = await tellOwner(context);
  return released === SETTLE_DELIVERIES_BATCH || held === SETTLE_DELIVERIES_BATCH || told;
}

/** Tells the owner of one disabled endpoint, at its other endpoints and in its list of events. */
async function tellOwner({ db, log, webhookSender }: Context): Promise<boolean> {
  const disabled = await db.transaction(async (tx) => {
    const endpoint = await takeUntold(tx);
    if (endpoint === undefined) return undefined;
    const { id: webhookEndpointId, ownerId, ownerKind, url, reason, disabledAt } = endpoint;
    const id = newId();
    await insertEvent(tx, {
      id,
      ownerKind,
      ownerId,
      type: 'endpoint.disabled',
      subjectId: webhookEndpointId,
      // Its subject has no versions: the time rises with each event.
      subjectVersion: disabledAt.getTime(),
      occurredAt: disabledAt,
      body: JSON.stringify({
        id: eventIdOf(id),
        type: 'endpoint.disabled',
        timestamp: disabledAt.toISOString(),
        data: { webhookEndpointId, url, reason, version: disabledAt.getTime() },
      }),
    });
    return endpoint;
  });
  if (disabled === undefined) return false;
  const { id: endpointId, ownerId, reason } = disabled;
  countDisabled({ reason });
  log.warn({ endpointId, ownerId, reason }, 'webhook endpoint disabled');
  webhookSender.wake();
  return true;
}
