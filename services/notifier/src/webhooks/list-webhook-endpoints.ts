import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleEndpoint, presentEndpoint, webhookEndpointAnswer } from './endpoint-fields';
import { ownEndpoint, pageOfEndpoints } from './endpoints.sql';

export const getWebhookEndpointEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  as: 'webhookEndpoints.get',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId',
  scope: 'webhooks:read',
  names: { webhookEndpointId: 'webhook-endpoint' },
  summary: 'Get a webhook endpoint',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: webhookEndpointAnswer,
  example: exampleEndpoint,
  input: ({ id, caller }) => ({
    ownerId: caller.id,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  }),
  handle: ({ db }: Context, { ownerId, id }) => ownEndpoint(db, ownerId, id),
  present: presentEndpoint,
});

export const listWebhookEndpointsEndpoint = listEndpoint({
  id: 'listWebhookEndpoints',
  as: 'webhookEndpoints.list',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints',
  scope: 'webhooks:read',
  names: {},
  summary: 'List your webhook endpoints, oldest first',
  query: PageQuery,
  page: 'WebhookEndpointPage',
  items: { webhookEndpoints: t.field(webhookEndpointAnswer, 'Webhook endpoints') },
  example: exampleEndpoint,
  input: ({ query, caller }) => ({ query, ownerId: caller.id }),
  find: ({ db }: Context, { query, ownerId }) => pageOfEndpoints(db, { ownerId }, query),
  present: presentEndpoint,
});
