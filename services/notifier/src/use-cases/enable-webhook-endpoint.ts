import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { auditRows } from '@fiado/chassis/outbox/audit-rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findOwnerOf, updateEndpoint } from '../db/webhook-endpoints.repository';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { lockOwnEndpoint, ownEndpoint } from '../steps/own-endpoint';

/**
 * Enables an endpoint that was disabled, for ops; it is audited. One that is enabled or paused stays
 * as it is.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function enableWebhookEndpoint(
  { db, relay, webhookSender }: Pick<Context, 'db' | 'relay' | 'webhookSender'>,
  { by, id }: { by: Caller; id: string },
): Promise<WebhookEndpoint> {
  const ownerId = await findOwnerOf(db, id);
  if (ownerId === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
  const enabled = await db.transaction(async (tx) => {
    const { state, disabledReason } = await lockOwnEndpoint(tx, ownerId, id);
    if (state === 'disabled') {
      await updateEndpoint(tx, id, { state: 'enabled' });
      const details = { ownerId, disabledReason };
      await appendToOutbox(
        tx,
        auditRows(by, { action: 'webhook-endpoint.enabled', objectId: id, details }),
      );
    }
    return ownEndpoint(tx, ownerId, id);
  });
  relay.wake();
  webhookSender.wake();
  return enabled;
}
