import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findEndpoints, type EndpointFilter } from '../db/webhook-endpoints.repository';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { exampleEndpoint, presentEndpoint, webhookEndpointAnswer } from './webhook-endpoint-answer';

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
