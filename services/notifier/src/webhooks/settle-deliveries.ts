import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { eventIdOf, type EventOwnerKind } from '@fiado/contracts/events';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { insertEvents, type NewEvent } from '../events/insert-events.sql';
import { countDisabled } from '../metrics';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

/** Deliveries of one statement. */
const BATCH = 500;

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
  return released === BATCH || held === BATCH || told;
}

/** Tells the owner of one disabled endpoint, at its other endpoints and in its list of events. */
async function tellOwner({ db, log, webhookSender }: Context): Promise<boolean> {
  const disabled = await db.transaction(async (tx) => {
    const endpoint = await takeUntold(tx);
    if (endpoint === undefined) return undefined;
    const { id: webhookEndpointId, ownerId, ownerKind, url, reason, disabledAt } = endpoint;
    const id = newId();
    const event: NewEvent = {
      id,
      occurredAt: disabledAt,
      ownerKind,
      ownerId,
      type: 'endpoint.disabled',
      subjectId: webhookEndpointId,
      // Its subject has no versions: the time rises with each event.
      subjectVersion: disabledAt.getTime(),
      body: JSON.stringify({
        id: eventIdOf(id),
        type: 'endpoint.disabled',
        timestamp: disabledAt.toISOString(),
        data: { webhookEndpointId, url, reason, version: disabledAt.getTime() },
      }),
    };
    await insertEvents(tx, [event]);
    return endpoint;
  });
  if (disabled === undefined) return false;
  const { id: endpointId, ownerId, reason } = disabled;
  countDisabled({ reason });
  log.warn({ endpointId, ownerId, reason }, 'webhook endpoint disabled');
  webhookSender.wake();
  return true;
}

/**
 * Gives back the deliveries whose sender was lost: they are due again, under the same event id, and
 * their endpoints have the places back.
 * @returns how many
 */
async function releaseLapsed(db: Db): Promise<number> {
  const lapsed = await query(
    db,
    `WITH lapsed AS (
       SELECT id, endpoint_id, attempts FROM webhook_deliveries
        WHERE status = 'sending' AND claimed_until < now()
        ORDER BY claimed_until LIMIT $1
          FOR UPDATE SKIP LOCKED
     ), endpoints AS (
       -- In one order, so that two of these never wait for each other.
       SELECT id FROM webhook_endpoints WHERE id IN (SELECT endpoint_id FROM lapsed)
        ORDER BY id FOR UPDATE
     ), counted AS (
       UPDATE webhook_endpoints SET in_flight = in_flight - of_endpoint.count
         FROM (SELECT endpoint_id, count(*)::integer AS count FROM lapsed GROUP BY 1) of_endpoint
        WHERE webhook_endpoints.id = of_endpoint.endpoint_id
          AND webhook_endpoints.id IN (SELECT id FROM endpoints)
     ), attempts AS (
       INSERT INTO webhook_attempts (delivery_id, number, started_at, ms, error)
       SELECT id, attempts, now(), 0, 'SENDER_LOST' FROM lapsed
       ON CONFLICT DO NOTHING
     )
     UPDATE webhook_deliveries
        SET status = 'pending', claimed_until = NULL, next_attempt_at = now(), updated_at = now()
      WHERE id IN (SELECT id FROM lapsed)
     RETURNING 1`,
    [BATCH],
  );
  return lapsed.length;
}

/**
 * Holds what is pending for endpoints that are paused or disabled; what is pending for a deleted one
 * ends.
 * @returns how many
 */
async function holdPending(db: Db): Promise<number> {
  const held = await query(
    db,
    `UPDATE webhook_deliveries
        SET status = CASE waiting.state WHEN 'deleted' THEN 'aborted' ELSE 'held' END,
            updated_at = now()
       FROM (SELECT webhook_deliveries.id, state FROM webhook_endpoints
               JOIN webhook_deliveries ON endpoint_id = webhook_endpoints.id AND status = 'pending'
              WHERE state <> 'enabled' ORDER BY webhook_deliveries.id LIMIT $1) waiting
      WHERE webhook_deliveries.id = waiting.id AND status = 'pending'
     RETURNING 1`,
    [BATCH],
  );
  return held.length;
}

/** Takes a disabled endpoint whose owner has not been notified, and marks it as notified. */
async function takeUntold(tx: Transaction) {
  return queryRow<
    Pick<WebhookEndpointRow, 'ownerId' | 'url'> & {
      id: string;
      ownerKind: EventOwnerKind;
      reason: NonNullable<WebhookEndpointRow['disabledReason']>;
      disabledAt: Date;
    }
  >(
    tx,
    `UPDATE webhook_endpoints SET disabled_told = true, updated_at = now()
       FROM event_owners
      WHERE webhook_endpoints.id = (SELECT id FROM webhook_endpoints WHERE NOT disabled_told
                                     ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
        AND event_owners.id = owner_id
     RETURNING webhook_endpoints.id, owner_id, kind AS "ownerKind", url,
               disabled_reason AS reason, now() AS "disabledAt"`,
  );
}
