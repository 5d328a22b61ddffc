import { IsString, MaxLength, MinLength } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { switchEventsOn } from '../events/change-event-settings';
import { eventOwnerOf, lockOwner } from '../events/event-owners.sql';
import { ALL_EVENTS } from '../events/event-patterns.rules';
import { MAX_URL_LENGTH } from './address-guard';
import { checkWebhookUrl } from './check-webhook-url';
import {
  exampleEndpoint,
  presentEndpoint,
  webhookEndpointFields,
  WebhookEndpointSettings,
} from './endpoint-fields';
import { countEndpoints, MAX_ENDPOINTS, ownEndpoint, type WebhookEndpoint } from './endpoints.sql';
import { addSecret } from './secrets';
import { WebhookEndpointRow } from './webhook-endpoint.entity';

class CreateWebhookEndpointBody extends WebhookEndpointSettings {
  /** https, with a host name. */
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_URL_LENGTH)
  url: string;
}

export const createWebhookEndpointEndpoint = endpoint({
  id: 'createWebhookEndpoint',
  as: 'webhookEndpoints.create',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints',
  scope: 'webhooks:write',
  names: {},
  summary: 'Create a webhook endpoint',
  description:
    'Events are sent to it from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) ' +
    'says. `secret` is shown here and by `rotateWebhookSecret` only. Ten endpoints at most.',
  body: CreateWebhookEndpointBody,
  bodyExample: { url: 'https://example.com/fiado', events: ['transaction.*', 'payment.applied'] },
  status: 201,
  errors: ['WEBHOOK_URL_NOT_ALLOWED', 'WEBHOOK_ENDPOINT_LIMIT_REACHED'],
  idempotent: true,
  answerSealer: ({ sealer }: Context) => sealer,
  answer: t.object('CreatedWebhookEndpoint', {
    ...webhookEndpointFields,
    secret: t.field(
      t.text,
      'Secret that signs the events; shown once',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ),
  }),
  example: { ...exampleEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  input: ({ body, caller }) => ({
    owner: eventOwnerOf(caller),
    url: body.url,
    description: body.description ?? null,
    events: body.events ?? [ALL_EVENTS],
    ordered: body.ordered ?? false,
    signatures: body.signatures ?? ['v1' as const],
  }),
  // When it exists, all services know that its owner wants events, so the next one is not lost. It fails with
  // SERVICE_UNAVAILABLE when a service cannot be told, or events are being switched off.
  handle: async (
    context: Context,
    { owner, url: text, signatures, description, events, ordered },
    answerOf: StoreAnswer<CreatedWebhookEndpoint>,
  ) => {
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
      await tx.manager.insert(WebhookEndpointRow, { id, ownerId: owner.id, ...settings });
      const { secret } = await addSecret(tx, context, id, 'v1');
      if (signatures.includes('v1a')) await addSecret(tx, context, id, 'v1a');
      return { ...(await ownEndpoint(tx, owner.id, id)), secret };
    });
  },
  present: ({ secret, ...created }) => ({ ...presentEndpoint(created), secret }),
});

/** With the secret, which is shown this once. */
interface CreatedWebhookEndpoint extends WebhookEndpoint {
  secret: string;
}

function requireRoom(endpoints: number): void {
  if (endpoints >= MAX_ENDPOINTS) throw new AppError('WEBHOOK_ENDPOINT_LIMIT_REACHED');
}
