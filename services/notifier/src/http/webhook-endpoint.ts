import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findEndpoint } from '../db/webhook-endpoints.repository';
import { deleteWebhookEndpoint } from '../use-cases/delete-webhook-endpoint';
import { updateWebhookEndpoint } from '../use-cases/update-webhook-endpoint';
import { exampleEndpoint, presentEndpoint, webhookEndpointAnswer } from './webhook-endpoint-answer';
import { UpdateWebhookEndpointBody } from './webhook-endpoint-body';

export const getWebhookEndpointEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:read',
  summary: 'Get a webhook endpoint',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: webhookEndpointAnswer,
  example: exampleEndpoint,
  input: ({ id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  }),
  handle: async ({ db }: Context, { ownerId, id }) => {
    const found = await findEndpoint(db, ownerId, id);
    if (found === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return found;
  },
  present: presentEndpoint,
});

export const updateWebhookEndpointEndpoint = endpoint({
  id: 'updateWebhookEndpoint',
  tag: 'Events',
  route: 'PUT /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:write',
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
  handle: updateWebhookEndpoint,
  present: presentEndpoint,
});

export const deleteWebhookEndpointEndpoint = endpoint({
  id: 'deleteWebhookEndpoint',
  tag: 'Events',
  route: 'DELETE /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:write',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it. Events stay switched on.',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  }),
  handle: deleteWebhookEndpoint,
  present: () => undefined,
});
