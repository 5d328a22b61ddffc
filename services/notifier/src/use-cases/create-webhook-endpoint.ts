import { insertRow } from '@fiado/chassis/db/rows';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockOwner, type EventOwner } from '../db/event-owners.repository';
import { countEndpoints } from '../db/webhook-endpoints.repository';
import { MAX_ENDPOINTS, type WebhookEndpoint } from '../domain/webhook-endpoint';
import type { SignatureKind } from '../domain/webhook-signature';
import { checkWebhookUrl } from '../steps/check-webhook-url';
import { ownEndpoint } from '../steps/own-endpoint';
import { switchEventsOn } from '../steps/switch-events';
import { addSecret } from '../steps/webhook-secrets';

export interface CreateWebhookEndpoint {
  owner: EventOwner;
  url: string;
  description: string | null;
  events: string[];
  ordered: boolean;
  signatures: readonly SignatureKind[];
}

/** With the secret, which is shown this once. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  secret: string;
}

/**
 * Creates a webhook endpoint. By then all services know that its owner wants events, so the next one
 * is not lost.
 * @throws AppError WEBHOOK_URL_NOT_ALLOWED, WEBHOOK_ENDPOINT_LIMIT_REACHED, SERVICE_UNAVAILABLE
 *   when a service cannot be told, or events are being switched off
 */
export async function createWebhookEndpoint(
  context: Context,
  { owner, url: text, signatures, description, events, ordered }: CreateWebhookEndpoint,
  answerOf: StoreAnswer<CreatedWebhookEndpoint>,
): Promise<CreatedWebhookEndpoint> {
  const { db } = context;
  const url = await checkWebhookUrl(context, text);
  requireRoom(await countEndpoints(db, owner.id));
  await switchEventsOn(context, owner);

  return answerInTransaction(context, answerOf, async (tx) => {
    // Switched off meanwhile.
    if (!(await lockOwner(tx, owner))) throw new AppError('SERVICE_UNAVAILABLE');
    requireRoom(await countEndpoints(tx, owner.id));
    const id = newId();
    const settings = { url, description, events, ordered };
    await insertRow(tx, 'webhook_endpoints', { id, ownerId: owner.id, ...settings });
    const { secret } = await addSecret(tx, context, id, 'v1');
    if (signatures.includes('v1a')) await addSecret(tx, context, id, 'v1a');
    return { ...(await ownEndpoint(tx, owner.id, id)), secret };
  });
}

function requireRoom(endpoints: number): void {
  if (endpoints >= MAX_ENDPOINTS) throw new AppError('WEBHOOK_ENDPOINT_LIMIT_REACHED');
}
