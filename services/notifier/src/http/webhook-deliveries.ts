import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { EVENT_TYPES, eventIdOf } from '@fiado/contracts/events';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import type { Delivery } from '../db/webhook-deliveries.repository';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../domain/delivery';
import { getDelivery, listDeliveries } from '../use-cases/list-deliveries';
import { resendDelivery } from '../use-cases/resend-delivery';
import { EventQuery } from './event-query';

class ListDeliveriesQuery extends EventQuery {
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsUUID()
  cursor?: string;
}

/** Of a delivery, in every list. */
export const deliveryFields = {
  deliveryId: t.uuid,
  eventId: t.text,
  type: t.oneOf(EVENT_TYPES),
  status: t.oneOf(DELIVERY_STATUSES),
  attempts: t.count,
  lastStatusCode: t.nullable(t.count),
  nextAttemptAt: t.nullable(t.timestamp),
};

const deliveryAnswer = t.object('Delivery', deliveryFields);

export const exampleDelivery: t.AnswerOf<typeof deliveryAnswer> = {
  deliveryId: '0199e2c4-5f1a-7d4e-8f70-8a9bacbdcedf',
  eventId: 'evt_0199e2c4-5f1a-7c3d-8e7f-6a5b4c3d2e1f',
  type: 'transaction.created',
  status: 'pending',
  attempts: 1,
  lastStatusCode: 500,
  nextAttemptAt: '2026-09-21T16:04:10.678Z',
};

/** A delivery without its attempts. */
export function presentDelivery(delivery: Delivery): t.AnswerOf<typeof deliveryAnswer> {
  return {
    deliveryId: delivery.id,
    eventId: eventIdOf(delivery.eventId),
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    lastStatusCode: delivery.lastStatusCode,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  };
}

export const listDeliveriesEndpoint = endpoint({
  id: 'listDeliveries',
  tag: 'Events',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId/deliveries',
  scope: 'webhooks:read',
  summary: 'List the deliveries to a webhook endpoint, newest first',
  query: ListDeliveriesQuery,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  answer: t.page('DeliveryPage', { deliveries: t.listOf(deliveryAnswer) }),
  example: { deliveries: [exampleDelivery], nextCursor: null },
  input: ({ id, query, caller }, { config }: Context) => ({
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    ownerId: caller.id,
    status: query.status,
    type: query.type,
    from: readDate('from', query.from, config.TIME_ZONE),
    to: readDate('to', query.to, config.TIME_ZONE),
    cursor: query.cursor,
    limit: query.limit,
  }),
  handle: listDeliveries,
  present: ({ page, nextCursor }) => ({ deliveries: page.map(presentDelivery), nextCursor }),
});

const one = {
  tag: 'Events',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
} as const;

export const getDeliveryEndpoint = endpoint({
  ...one,
  id: 'getDelivery',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId/deliveries/:deliveryId',
  scope: 'webhooks:read',
  summary: 'Get a delivery with its attempts',
  answer: t.object('DeliveryWithLog', {
    ...deliveryFields,
    createdAt: t.timestamp,
    log: t.listOf(
      t.object('DeliveryAttempt', {
        number: t.count,
        startedAt: t.timestamp,
        durationMs: t.count,
        statusCode: t.nullable(t.count),
        error: { ...t.nullable(t.text), description: 'Why there was no answer' },
        responseHead: { ...t.nullable(t.text), description: 'First 1,024 bytes of the answer' },
      }),
    ),
  }),
  example: {
    ...exampleDelivery,
    createdAt: '2026-09-21T16:04:05.678Z',
    log: [
      {
        number: 1,
        startedAt: '2026-09-21T16:04:05.690Z',
        durationMs: 42,
        statusCode: 500,
        error: null,
        responseHead: 'Internal Server Error',
      },
    ],
  },
  input: ({ id, caller }) => ({
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    deliveryId: id('deliveryId', 'WEBHOOK_DELIVERY_NOT_FOUND'),
    ownerId: caller.id,
  }),
  handle: (context: Context, input) => getDelivery(context, input),
  present: ({ delivery, attempts }) => ({
    ...presentDelivery(delivery),
    createdAt: delivery.createdAt.toISOString(),
    log: attempts.map((attempt) => ({
      number: attempt.number,
      startedAt: attempt.startedAt.toISOString(),
      durationMs: attempt.ms,
      statusCode: attempt.httpStatus,
      error: attempt.error,
      responseHead: attempt.responseHead,
    })),
  }),
});

export const resendDeliveryEndpoint = endpoint({
  ...one,
  id: 'resendDelivery',
  route: 'POST /v1/webhook-endpoints/:webhookEndpointId/deliveries/:deliveryId/resend',
  scope: 'webhooks:write',
  summary: 'Send an event to a webhook endpoint again',
  description:
    'Under the same event id. An event that waits for its next attempt is sent now, as the same ' +
    'delivery; any other becomes a new one.',
  errors: [...one.errors, 'WEBHOOK_ENDPOINT_IS_NOT_ENABLED'],
  idempotent: true,
  status: 202,
  answer: t.object('StartedDelivery', { deliveryId: t.uuid }),
  example: { deliveryId: exampleDelivery.deliveryId },
  input: ({ id, caller }) => ({
    endpointId: id('webhookEndpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
    deliveryId: id('deliveryId', 'WEBHOOK_DELIVERY_NOT_FOUND'),
    ownerId: caller.id,
  }),
  handle: resendDelivery,
  present: ({ deliveryId }) => ({ deliveryId }),
});
