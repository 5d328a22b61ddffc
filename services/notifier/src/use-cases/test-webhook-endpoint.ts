import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_DATA } from '@fiado/contracts/event-examples';
import { eventIdOf, type EventType } from '@fiado/contracts/events';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockOwner, type EventOwner } from '../db/event-owners.repository';
import { insertTestEvent } from '../db/insert-test-event';
import { lockEnabledEndpoint } from '../steps/own-endpoint';

/** The limit of tests is for each minute. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Sends an event with example data to one endpoint, whether or not it wants events of that type. It
 * is signed, retried and logged like any other, and is in no list of events.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_IS_NOT_ENABLED,
 *   RATE_LIMIT_EXCEEDED after ten in a minute
 */
export async function testWebhookEndpoint(
  context: Context,
  { owner, id: endpointId, type }: { owner: EventOwner; id: string; type: EventType },
  answerOf: StoreAnswer<{ deliveryId: string }>,
): Promise<{ deliveryId: string }> {
  const id = newId();
  const occurredAt = context.clock.now();
  const data = {
    ...EXAMPLE_DATA[type],
    ...(type === 'endpoint.test' && { webhookEndpointId: endpointId }),
  };
  const body = JSON.stringify({
    id: eventIdOf(id),
    type,
    timestamp: occurredAt.toISOString(),
    data,
  });
  const sent = await answerInTransaction(context, answerOf, async (tx) => {
    await lockOwner(tx, owner);
    await lockEnabledEndpoint(tx, owner.id, endpointId);
    const event = {
      id,
      ownerKind: owner.kind,
      ownerId: owner.id,
      type,
      subjectId: endpointId,
      subjectVersion: 1,
      body,
      occurredAt,
    };
    const deliveryId = newId();
    if (!(await insertTestEvent(tx, event, { deliveryId, endpointId }))) {
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return { deliveryId };
  });
  context.webhookSender.wake();
  return sent;
}
