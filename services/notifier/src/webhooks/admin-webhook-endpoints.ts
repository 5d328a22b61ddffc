import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleEndpoint, presentEndpoint, webhookEndpointFields } from './endpoint-fields';
import {
  ENDPOINT_STATES,
  lockOwnEndpoint,
  ownEndpoint,
  pageOfEndpoints,
  updateEndpoint,
  type WebhookEndpoint,
} from './endpoints.sql';
import { failingFields } from './list-failing-deliveries';

/** An endpoint as ops sees it. */
const ownedEndpointAnswer = t.object('OwnedWebhookEndpoint', {
  ...webhookEndpointFields,
  url: t.field(
    t.uri,
    'Origin of the URL: its path and query may hold a secret. Without its path and query, which may hold a secret',
    'https://example.com',
  ),
  ownerId: failingFields.ownerId,
  failures: t.field(
    t.count,
    'Failed attempts since the last success. Failed attempts since the last success',
    3,
  ),
  failingSince: t.timeOrNull(
    'Time of the first of these failures; null after a success',
    '2026-11-22T16:05:01.000Z',
  ),
});

const exampleOwned: t.ExampleOf<typeof ownedEndpointAnswer> = {
  ...exampleEndpoint,
  failures: 0,
  failingSince: null,
};

function presentOwned(one: WebhookEndpoint): t.AnswerOf<typeof ownedEndpointAnswer> {
  return {
    ...presentEndpoint(one),
    url: new URL(one.url).origin,
    ownerId: one.ownerId,
    failures: one.failures,
    failingSince: one.failingSince?.toISOString() ?? null,
  };
}

class ListAllQuery extends PageQuery {
  @About(
    'Only those of this wholesaler or payment provider',
    '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  )
  @IsOptional()
  @IsUUID()
  ownerId?: string;

  @About('Only endpoints in this state')
  @IsOptional()
  @IsIn(ENDPOINT_STATES)
  state?: string;
}

export const listAllWebhookEndpointsEndpoint = listEndpoint({
  id: 'listAllWebhookEndpoints',
  as: 'webhookEndpoints.list',
  columns: [
    'webhookEndpointId',
    'ownerId',
    'url',
    'state',
    'disabledReason',
    'failures',
    'failingSince',
  ],
  tag: 'Ops: operation',
  route: 'GET /v1/admin/webhook-endpoints',
  scope: 'viewer',
  summary: 'List the webhook endpoints of all owners, oldest first',
  query: ListAllQuery,
  page: 'OwnedWebhookEndpointPage',
  items: { webhookEndpoints: t.field(ownedEndpointAnswer, 'Webhook endpoints') },
  example: exampleOwned,
  input: ({ query }) => query,
  find: ({ db }: Context, query) => pageOfEndpoints(db, query, query),
  present: presentOwned,
});

export const enableWebhookEndpointEndpoint = endpoint({
  id: 'enableWebhookEndpoint',
  as: 'webhookEndpoints.enable',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/webhook-endpoints/:webhookEndpointId/enable',
  scope: 'operator',
  summary: 'Enable a disabled webhook endpoint',
  description:
    'New events are sent; its owner replays those of the time between. One that its owner has paused ' +
    'stays paused. Audited.',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: ownedEndpointAnswer,
  example: exampleOwned,
  input: ({ id, caller }) => ({
    by: caller,
    id: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
  }),
  handle: async ({ db, webhookSender }: Context, { by, id }) => {
    const ownerId = await ownerOf(db, id);
    const enabled = await db.transaction(async (tx) => {
      const { state, disabledReason } = await lockOwnEndpoint(tx, ownerId, id);
      if (state === 'disabled') {
        await updateEndpoint(tx, id, { state: 'enabled' });
        const action = 'webhook-endpoint.enabled';
        const details = { ownerId, disabledReason };
        await audit(tx, by, { action, objectId: id, details });
      }
      return ownEndpoint(tx, ownerId, id);
    });
    webhookSender.wake();
    return enabled;
  },
  present: presentOwned,
});

/** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
async function ownerOf(db: Db, id: string): Promise<string> {
  const text = "SELECT owner_id FROM webhook_endpoints WHERE id = $1 AND state <> 'deleted'";
  const [endpoint] = await query<{ ownerId: string }>(db, text, [id]);
  if (endpoint === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint.ownerId;
}
