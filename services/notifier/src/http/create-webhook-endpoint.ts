import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { ALL_EVENTS } from '../domain/event-pattern';
import { createWebhookEndpoint } from '../use-cases/create-webhook-endpoint';
import { eventOwnerOf } from './event-owner';
import { exampleEndpoint, presentEndpoint, webhookEndpointFields } from './webhook-endpoint-answer';
import { CreateWebhookEndpointBody } from './webhook-endpoint-body';

export const createWebhookEndpointEndpoint = endpoint({
  id: 'createWebhookEndpoint',
  tag: 'Events',
  route: 'POST /v1/webhook-endpoints',
  scope: 'webhooks:write',
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
  answer: t.object('CreatedWebhookEndpoint', { ...webhookEndpointFields, secret: t.text }),
  example: { ...exampleEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  input: ({ body, caller }) => ({
    owner: eventOwnerOf(caller),
    url: body.url,
    description: body.description ?? null,
    events: body.events ?? [ALL_EVENTS],
    ordered: body.ordered ?? false,
    signatures: body.signatures ?? ['v1' as const],
  }),
  handle: createWebhookEndpoint,
  present: ({ secret, ...created }) => ({ ...presentEndpoint(created), secret }),
});
