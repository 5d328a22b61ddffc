import { IsInt, IsOptional, Max, Min } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import type { Context } from '../context';
import { lockOwnEndpoint } from './endpoints.sql';
import { addSecret } from './secrets';

/** A week: long enough for any deployment. */
const MAX_KEPT_HOURS = 168;
const DEFAULT_KEPT_HOURS = 24;

class RotateBody {
  @About('Hours for which the old secret signs as well', 24)
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_KEPT_HOURS)
  keepOldForHours?: number;
}

export const rotateWebhookSecretEndpoint = endpoint({
  id: 'rotateWebhookSecret',
  as: 'webhookEndpoints.rotateSecret',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/rotate-secret',
  scope: 'webhooks:write',
  names: { webhookEndpointId: 'webhook-endpoint' },
  idempotent: true,
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Both secrets sign each event until the old one ends: after 24 hours, or `keepOldForHours`, at ' +
    'most 168. A secret that was already being replaced ends at once. With `v1a` the key changes too.',
  body: RotateBody,
  bodyExample: { keepOldForHours: 48 },
  bodyOptional: true,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answerSealer: ({ sealer }: Context) => sealer,
  answer: t.object(
    'WebhookSecret',
    {
      secret: t.field(
        t.text,
        'Secret that signs the events; shown once',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ),
      publicKey: t.field(
        t.text,
        'Public key of the endpoint',
        'whpk_5P0rO0cYyZ6dpoxYvKpTt0PMgGx6vZlr6o6l2wB3E1A=',
      ),
    },
    ['publicKey'],
  ),
  example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  input: ({ body, id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    keepOldForHours: body.keepOldForHours ?? DEFAULT_KEPT_HOURS,
  }),
  // Gives a webhook endpoint a new secret, and a new key where it has asymmetric signatures.
  handle: async (
    context: Context,
    { ownerId, id, keepOldForHours },
    answerOf: StoreAnswer<{ secret: string; publicKey: string | null }>,
  ) =>
    answerInTransaction(context, answerOf, async (tx) => {
      const { signatures } = await lockOwnEndpoint(tx, ownerId, id);
      await expireSecrets(tx, id, keepOldForHours);
      const { secret } = await addSecret(tx, context, id, 'v1');
      const publicKey = signatures.includes('v1a')
        ? (await addSecret(tx, context, id, 'v1a')).publicKey
        : null;
      return { secret, publicKey };
    }),
  present: ({ secret, publicKey }) => ({
    secret,
    ...(publicKey === null ? {} : { publicKey }),
  }),
});

/** Lets the current secrets sign for some hours more; what they have replaced ends now. */
async function expireSecrets(tx: Transaction, endpointId: string, hours: number): Promise<void> {
  await query(
    tx,
    `DELETE FROM webhook_secrets
      WHERE endpoint_id = $1 AND (expires_at IS NOT NULL OR $2::integer = 0)`,
    [endpointId, hours],
  );
  await query(
    tx,
    `UPDATE webhook_secrets SET expires_at = now() + make_interval(hours => $2)
      WHERE endpoint_id = $1`,
    [endpointId, hours],
  );
}
