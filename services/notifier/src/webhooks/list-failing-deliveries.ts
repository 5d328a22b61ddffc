import { IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  DELIVERY,
  deliveryFields,
  exampleDelivery,
  presentDelivery,
  type Delivery,
} from './list-deliveries';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

class FailingDeliveriesQuery extends PageQuery {
  @About(
    'Only those of this wholesaler or payment provider',
    '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  )
  @IsOptional()
  @IsUUID()
  ownerId?: string;

  @About('Only those to this webhook endpoint', '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e')
  @IsOptional()
  @IsUUID()
  webhookEndpointId?: string;
}

/** A delivery that has failed for good, or waits for another attempt. */
interface FailingDelivery extends Delivery, Pick<WebhookEndpointRow, 'ownerId'> {
  endpointId: string;
  subjectId: string;
  /** Why the last attempt got no answer. */
  lastError: string | null;
}

export const failingFields = {
  ...deliveryFields,
  webhookEndpointId: fields.webhookEndpointId,
  ownerId: t.id(
    'Id of the wholesaler or the payment provider',
    '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  ),
  subjectId: t.id(
    'Id of what the event is about, such as its order, dispute, deposit or statement',
    '0199e2c4-8c3d-7e4f-9a51-627384950617',
  ),
  lastError: t.textOrNull(
    'Error of the last connection; null after an answer. Why there was no answer',
    'TIMEOUT',
  ),
};

/** By webhook_deliveries_failing. */
const OF_ALL = {
  place: '$2::uuid IS NULL AND ($3::uuid IS NULL OR d.id < $3)',
  order: 'd.id DESC',
};

/**
 * Reads webhook_deliveries_failing_of_endpoint: the range of one endpoint and the order by endpoint make the planner
 * choose it. Otherwise the planner assumes that all endpoints fail equally.
 */
const OF_ENDPOINT = {
  place: `d.endpoint_id >= $2
          AND (d.endpoint_id, d.id) < ($2, coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
  order: 'd.endpoint_id DESC, d.id DESC',
};

export const listFailingDeliveriesEndpoint = listEndpoint({
  id: 'listFailingDeliveries',
  as: 'webhookEndpoints.listFailing',
  columns: [
    'deliveryId',
    'webhookEndpointId',
    'type',
    'status',
    'attempts',
    'lastStatusCode',
    'lastError',
    'nextAttemptAt',
  ],
  tag: 'Ops: operation',
  route: 'GET /v1/admin/webhook-deliveries',
  scope: 'viewer',
  summary: 'List the failing webhooks of all owners, newest first',
  description:
    'Those that have failed for good, and those that wait for another attempt. Without the events ' +
    'and the answers, which are their owner’s.',
  query: FailingDeliveriesQuery,
  page: 'FailingDeliveryPage',
  items: {
    deliveries: t.field(t.object('FailingDelivery', failingFields), 'Deliveries, newest first'),
  },
  example: {
    ...exampleDelivery,
    lastError: null,
  },
  input: ({ query }) => query,
  find: async ({ db }: Context, { ownerId, webhookEndpointId, cursor, limit }) => {
    const { place, order } = webhookEndpointId === undefined ? OF_ALL : OF_ENDPOINT;
    const found = await query<FailingDelivery>(
      db,
      `SELECT ${DELIVERY}, d.endpoint_id, d.subject_id, endpoint.owner_id,
              (SELECT error FROM webhook_attempts
                WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) AS last_error
         FROM webhook_deliveries d JOIN events ON events.id = d.event_id
         JOIN webhook_endpoints endpoint ON endpoint.id = d.endpoint_id
        WHERE (d.status = 'failed' OR d.status = 'pending' AND d.attempts > 0)
          AND ($1::uuid IS NULL OR endpoint.owner_id = $1)
          AND ${place}
        ORDER BY ${order} LIMIT $4`,
      [ownerId, webhookEndpointId, cursor, limit + 1],
    );
    return pageOf(found, limit);
  },
  present: (one) => ({
    ...presentDelivery(one),
    webhookEndpointId: one.endpointId,
    ownerId: one.ownerId,
    subjectId: one.subjectId,
    lastError: one.lastError,
  }),
});
