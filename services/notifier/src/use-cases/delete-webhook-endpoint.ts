import type { Context } from '../context';
import { markDeleted } from '../db/webhook-endpoints.repository';
import { lockOwnEndpoint } from '../steps/own-endpoint';

/**
 * Deletes a webhook endpoint: nothing more is sent to it. Events stay switched on, for
 * `GET /v1/events`.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function deleteWebhookEndpoint(
  { db }: Pick<Context, 'db'>,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwnEndpoint(tx, ownerId, id);
    await markDeleted(tx, id);
  });
}
