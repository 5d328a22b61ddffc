import { IsOptional, IsUUID } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { listFailingDeliveries } from '../use-cases/list-failing-deliveries';
import { deliveryFields, exampleDelivery, presentDelivery } from './webhook-deliveries';

class FailingDeliveriesQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  ownerId?: string;

  @IsOptional()
  @IsUUID()
  webhookEndpointId?: string;
}

const failingFields = {
  ...deliveryFields,
  webhookEndpointId: t.uuid,
  ownerId: t.uuid,
  lastError: { ...t.nullable(t.text), description: 'Why there was no answer' },
};

export const listFailingDeliveriesEndpoint = endpoint({
  id: 'listFailingDeliveries',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/webhook-deliveries',
  scope: 'viewer',
  summary: 'List the failing webhooks of all owners, newest first',
  description:
    'Those that have failed for good, and those that wait for another attempt. Without the events ' +
    'and the answers, which are their owner’s.',
  query: FailingDeliveriesQuery,
  answer: t.page('FailingDeliveryPage', {
    deliveries: t.listOf(t.object('FailingDelivery', failingFields)),
  }),
  example: {
    deliveries: [
      {
        ...exampleDelivery,
        webhookEndpointId: '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e',
        ownerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
        lastError: null,
      },
    ],
    nextCursor: null,
  },
  input: ({ query: { ownerId, webhookEndpointId, cursor, limit } }) => ({
    ownerId,
    endpointId: webhookEndpointId,
    cursor,
    limit,
  }),
  handle: listFailingDeliveries,
  present: ({ page, nextCursor }) => ({
    deliveries: page.map((one) => ({
      ...presentDelivery(one),
      webhookEndpointId: one.endpointId,
      ownerId: one.ownerId,
      lastError: one.lastError,
    })),
    nextCursor,
  }),
});
