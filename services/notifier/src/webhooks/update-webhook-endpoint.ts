import { IsIn, IsOptional, IsString, MaxLength, MinLength } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction } from '@fiado/chassis/idempotency';
import type { Context } from '../context';
import { MAX_URL_LENGTH } from './address-guard';
import { checkWebhookUrl } from './check-webhook-url';
import {
  exampleEndpoint,
  presentEndpoint,
  webhookEndpointAnswer,
  WebhookEndpointSettings,
} from './endpoint-fields';
import {
  lockOwnEndpoint,
  ownEndpoint,
  updateEndpoint,
  type WebhookEndpoint,
} from './endpoints.sql';
import { addSecret, type SignatureKind } from './secrets';
import { WebhookSecretRow } from './webhook-secret.entity';

/** Sends what was held while its owner paused an endpoint. */
const SEND_HELD = `
  UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now(), updated_at = now()
   WHERE endpoint_id = $1 AND status = 'held'`;

/** Absent fields keep their values. */
class UpdateWebhookEndpointBody extends WebhookEndpointSettings {
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_URL_LENGTH)
  url?: string;

  @IsOptional()
  @IsIn(['enabled', 'paused'])
  state?: 'enabled' | 'paused';
}

export const updateWebhookEndpointEndpoint = endpoint({
  id: 'updateWebhookEndpoint',
  as: 'webhookEndpoints.update',
  tag: 'Events',
  route: 'PUT /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint' },
  summary: 'Change a webhook endpoint',
  description:
    'What is absent stays as it is. While an endpoint is `paused`, events are held; `enabled` sends ' +
    'them. For one that was disabled, `enabled` sends new events only: `replayEvents` sends the rest.',
  body: UpdateWebhookEndpointBody,
  bodyExample: { events: ['transaction.*'], state: 'enabled' },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_NOT_ALLOWED'],
  idempotent: true,
  answer: webhookEndpointAnswer,
  example: exampleEndpoint,
  input: ({ body: { signatures, ...change }, id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    change,
    signatures,
  }),
  // Changes a webhook endpoint; absent fields keep their values. Enabling a paused endpoint sends the events that were
  // held. A disabled one gets its events by a replay.
  handle: async (context: Context, { ownerId, id, change, signatures }, answerOf) => {
    const { db } = context;
    await ownEndpoint(db, ownerId, id);
    const url = change.url === undefined ? undefined : await checkWebhookUrl(context, change.url);

    const changed = await answerInTransaction(context, answerOf, async (tx) => {
      const before = await lockOwnEndpoint(tx, ownerId, id);
      // An endpoint that is enabled already keeps its failures.
      const state = change.state === before.state ? undefined : change.state;
      await updateEndpoint(tx, id, { ...change, url, state });
      if (state === 'enabled' && before.state === 'paused') await query(tx, SEND_HELD, [id]);
      if (signatures !== undefined) await changeSignatures(tx, context, before, signatures);
      return ownEndpoint(tx, ownerId, id);
    });
    context.webhookSender.wake();
    return changed;
  },
  present: presentEndpoint,
});

async function changeSignatures(
  tx: Transaction,
  context: Context,
  before: WebhookEndpoint,
  wanted: readonly SignatureKind[],
): Promise<void> {
  const has = before.signatures.includes('v1a');
  const wants = wanted.includes('v1a');
  if (wants && !has) await addSecret(tx, context, before.id, 'v1a');
  const asymmetric = { endpointId: before.id, kind: 'v1a' } as const;
  if (!wants && has) await tx.manager.delete(WebhookSecretRow, asymmetric);
}
