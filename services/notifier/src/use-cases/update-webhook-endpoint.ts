import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { Context } from '../context';
import {
  releaseHeld,
  updateEndpoint,
  type EndpointChange,
} from '../db/webhook-endpoints.repository';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import type { SignatureKind } from '../domain/webhook-signature';
import { checkWebhookUrl } from '../steps/check-webhook-url';
import { lockOwnEndpoint, ownEndpoint } from '../steps/own-endpoint';
import { addSecret } from '../steps/webhook-secrets';

export interface UpdateWebhookEndpoint {
  ownerId: string;
  id: string;
  change: EndpointChange;
  signatures: readonly SignatureKind[] | undefined;
}

/**
 * Changes a webhook endpoint; what is absent stays as it is. Enabling one that was paused sends what
 * was held meanwhile; one that was disabled gets it by a replay.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_NOT_ALLOWED
 */
export async function updateWebhookEndpoint(
  context: Context,
  { ownerId, id, change, signatures }: UpdateWebhookEndpoint,
  answerOf: StoreAnswer<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const { db } = context;
  await ownEndpoint(db, ownerId, id);
  const url = change.url === undefined ? undefined : await checkWebhookUrl(context, change.url);

  const changed = await answerInTransaction(context, answerOf, async (tx) => {
    const before = await lockOwnEndpoint(tx, ownerId, id);
    // Enabled already: nothing starts anew.
    const state = change.state === before.state ? undefined : change.state;
    await updateEndpoint(tx, id, { ...change, url, state });
    if (state === 'enabled' && before.state === 'paused') await releaseHeld(tx, id);
    if (signatures !== undefined) await changeSignatures(tx, context, before, signatures);
    return ownEndpoint(tx, ownerId, id);
  });
  context.webhookSender.wake();
  return changed;
}

async function changeSignatures(
  tx: Transaction,
  context: Context,
  before: WebhookEndpoint,
  wanted: readonly SignatureKind[],
): Promise<void> {
  const has = before.signatures.includes('v1a');
  const wants = wanted.includes('v1a');
  if (wants && !has) await addSecret(tx, context, before.id, 'v1a');
  const text = "DELETE FROM webhook_secrets WHERE endpoint_id = $1 AND kind = 'v1a'";
  if (!wants && has) await query(tx, text, [before.id]);
}
