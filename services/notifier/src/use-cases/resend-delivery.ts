import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { hurryOpenDelivery, insertResend } from '../db/send-again';
import { findDelivery } from '../db/webhook-deliveries.repository';
import { lockEnabledEndpoint } from '../steps/own-endpoint';

/**
 * Sends an event to an endpoint once more, with the same event id. One that still waits for its next
 * attempt is made due now.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_IS_NOT_ENABLED,
 *   WEBHOOK_DELIVERY_NOT_FOUND
 */
export async function resendDelivery(
  context: Context,
  { ownerId, endpointId, deliveryId }: { ownerId: string; endpointId: string; deliveryId: string },
  answerOf: StoreAnswer<{ deliveryId: string }>,
): Promise<{ deliveryId: string }> {
  const sent = await answerInTransaction(context, answerOf, async (tx) => {
    await lockEnabledEndpoint(tx, ownerId, endpointId);
    if ((await findDelivery(tx, endpointId, deliveryId)) === undefined) {
      throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
    }
    let id = await hurryOpenDelivery(tx, deliveryId);
    if (id === undefined) {
      id = newId();
      await insertResend(tx, { id, deliveryId });
    }
    return { deliveryId: id };
  });
  context.webhookSender.wake();
  return sent;
}
