import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/shared/contracts/page';
import * as t from '@fiado/shared/openapi/json-schema';
import type { Context } from '../context';
import { findEndpoints, type EndpointFilter } from '../db/webhook-endpoints.repository';
import { ENDPOINT_STATES, type WebhookEndpoint } from '../domain/webhook-endpoint';
import {
  exampleEndpoint,
  presentEndpoint,
  webhookEndpointAnswer,
  webhookEndpointFields,
} from './webhook-endpoint-answer';

export const listWebhookEndpointsEndpoint = endpoint({
  id: 'listWebhookEndpoints',
  tag: 'Events',
  method: 'get',
  path: '/v1/webhook-endpoints',
  allow: ['wholesaler', 'provider'],
  scope: 'webhooks:read',
  summary: 'List your webhook endpoints, oldest first',
  query: PageQuery,
  answer: t.object('WebhookEndpointPage', {
    webhookEndpoints: t.listOf(webhookEndpointAnswer),
    nextCursor: t.nullable(t.uuid),
  }),
  example: { webhookEndpoints: [exampleEndpoint], nextCursor: null },
  input: ({ query: { cursor, limit }, caller }) => ({ ownerId: caller.id, afterId: cursor, limit }),
  handle: pageOfEndpoints,
  present: ({ page, nextCursor }) => ({ webhookEndpoints: page.map(presentEndpoint), nextCursor }),
});

class ListAllQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  ownerId?: string;

  @IsOptional()
  @IsIn(ENDPOINT_STATES)
  state?: string;
}

export const listAllWebhookEndpointsEndpoint = endpoint({
  id: 'listAllWebhookEndpoints',
  tag: 'Ops: operation',
  method: 'get',
  path: '/v1/admin/webhook-endpoints',
  allow: ['ops'],
  scope: 'viewer',
  summary: 'List the webhook endpoints of all owners, oldest first',
  query: ListAllQuery,
  answer: t.object('OwnedWebhookEndpointPage', {
    webhookEndpoints: t.listOf(
      t.object('OwnedWebhookEndpoint', { ...webhookEndpointFields, ownerId: t.uuid }),
    ),
    nextCursor: t.nullable(t.uuid),
  }),
  example: {
    webhookEndpoints: [{ ...exampleEndpoint, ownerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d' }],
    nextCursor: null,
  },
  input: ({ query: { ownerId, state, cursor, limit } }) => ({
    ownerId,
    state,
    afterId: cursor,
    limit,
  }),
  handle: pageOfEndpoints,
  present: ({ page, nextCursor }) => ({
    webhookEndpoints: page.map((one) => ({ ...presentEndpoint(one), ownerId: one.ownerId })),
    nextCursor,
  }),
});

async function pageOfEndpoints(
  { db }: Context,
  { limit, ...filter }: EndpointFilter,
): Promise<{ page: WebhookEndpoint[]; nextCursor: string | null }> {
  return pageOf(await findEndpoints(db, { ...filter, limit: limit + 1 }), limit, ({ id }) => id);
}
