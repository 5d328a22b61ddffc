import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleEndpoint, presentEndpoint, webhookEndpointAnswer } from './endpoint-fields';
import {
  findEndpoints,
  ownEndpoint,
  type EndpointFilter,
  type WebhookEndpoint,
} from './endpoints.sql';

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
  handle: ({ db }: Context, { ownerId, id }) => ownEndpoint(db, ownerId, id),
  present: presentEndpoint,
});

export const listWebhookEndpointsEndpoint = endpoint({
  id: 'listWebhookEndpoints',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints',
  scope: 'webhooks:read',
  summary: 'List your webhook endpoints, oldest first',
  query: PageQuery,
  answer: t.page('WebhookEndpointPage', { webhookEndpoints: t.listOf(webhookEndpointAnswer) }),
  example: { webhookEndpoints: [exampleEndpoint], nextCursor: null },
  input: ({ query: { cursor, limit }, caller }) => ({ ownerId: caller.id, afterId: cursor, limit }),
  handle: pageOfEndpoints,
  present: ({ page, nextCursor }) => ({ webhookEndpoints: page.map(presentEndpoint), nextCursor }),
});

/** A page of endpoints, oldest first. */
export async function pageOfEndpoints(
  { db }: Context,
  { limit, ...filter }: EndpointFilter,
): Promise<{ page: WebhookEndpoint[]; nextCursor: string | null }> {
  await requireCursor(db, filter.afterId, 'webhook_endpoints', { owner_id: filter.ownerId });
  return pageOf(await findEndpoints(db, { ...filter, limit: limit + 1 }), limit, ({ id }) => id);
}
