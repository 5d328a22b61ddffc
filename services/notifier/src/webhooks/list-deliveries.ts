import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { eventIdOf, type EventType } from '@fiado/contracts/events';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { typesNamedBy } from '../events/event-patterns.rules';
import { EventQuery, eventType } from '../events/list-events';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.rules';
import { ownEndpoint } from './endpoints.sql';

/** The delivery of one event to one endpoint. */
export interface Delivery {
  id: string;
  eventId: string;
  type: EventType;
  status: DeliveryStatus;
  attempts: number;
  lastStatusCode: number | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** Its columns, of `webhook_deliveries d JOIN events`. */
export const DELIVERY = `
  d.id, d.event_id, events.type, d.status, d.attempts, d.last_status_code,
  CASE WHEN d.status = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt",
  d.created_at`;

class ListDeliveriesQuery extends EventQuery {
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsUUID()
  cursor?: string;
}

/** Fields of a delivery in every list. */
export const deliveryFields = {
  deliveryId: fields.deliveryId,
  eventId: t.field(
    t.text,
    'Id of the event: the header `webhook-id`',
    'evt_0199e2c4-5f1a-7c3d-8e7f-6a5b4c3d2e1f',
  ),
  type: eventType,
  status: t.field(t.oneOf(DELIVERY_STATUSES), 'State of the delivery'),
  attempts: fields.attempts,
  lastStatusCode: t.field(
    t.nullable(t.count),
    'HTTP status of the last answer; null if none came',
    500,
  ),
  nextAttemptAt: t.nullable(fields.nextAttemptAt),
};

const deliveryAnswer = t.object('Delivery', deliveryFields);

export const exampleDelivery: t.ExampleOf<typeof deliveryAnswer> = {
  type: 'transaction.created',
};

/** A delivery without its attempts. */
export function presentDelivery(delivery: Delivery): t.AnswerOf<typeof deliveryAnswer> {
  return t.presentRow(deliveryAnswer, delivery, {
    deliveryId: delivery.id,
    eventId: eventIdOf(delivery.eventId),
  });
}

export const listDeliveriesEndpoint = listEndpoint({
  id: 'listDeliveries',
  as: 'webhookEndpoints.listDeliveries',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId/deliveries',
  scope: 'webhooks:read',
  names: { webhookEndpointId: 'webhook-endpoint' },
  summary: 'List the deliveries to a webhook endpoint, newest first',
  query: ListDeliveriesQuery,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  page: 'DeliveryPage',
  items: { deliveries: t.field(deliveryAnswer, 'Deliveries, newest first') },
  example: exampleDelivery,
  input: ({ id, query: { from, to, ...query }, caller }, { config }: Context) => ({
    ...query,
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    ownerId: caller.id,
    from: readDate('from', from, config.TIME_ZONE),
    to: readDate('to', to, config.TIME_ZONE),
  }),
  find: async ({ db }: Context, { endpointId, ownerId, status, type, from, to, ...asked }) => {
    await ownEndpoint(db, ownerId, endpointId);
    return pageOfRows<Delivery>(db, asked, {
      select: `SELECT ${DELIVERY} FROM webhook_deliveries d JOIN events ON events.id = d.event_id`,
      from: 'webhook_deliveries d',
      of: { endpoint_id: endpointId },
      where: {
        'd.status = $': status,
        'events.type = ANY ($)': type && typesNamedBy(type),
        'd.created_at >= $': from,
        'd.created_at < $': to,
      },
    });
  },
  present: presentDelivery,
});
