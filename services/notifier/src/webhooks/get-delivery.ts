import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { ownEndpoint } from './endpoints.sql';
import {
  Delivery,
  DELIVERY,
  deliveryFields,
  exampleDelivery,
  presentDelivery,
} from './list-deliveries';

interface DeliveryAttempt {
  number: number;
  startedAt: Date;
  ms: number;
  httpStatus: number | null;
  error: string | null;
  responseHead: string | null;
}

const attemptAnswer = t.object('DeliveryAttempt', {
  number: t.field(t.count, 'Number of the attempt, from 1', 1),
  startedAt: t.time('Time at which the attempt began', '2026-09-21T16:04:05.690Z'),
  durationMs: t.field(t.count, 'Milliseconds until the answer or the error', 42),
  statusCode: t.field(t.nullable(t.count), 'HTTP status of the answer; null if none came', 200),
  error: t.textOrNull('Error of the connection. Why there was no answer', 'ECONNREFUSED'),
  responseHead: t.textOrNull('Beginning of the answer. First 1,024 bytes of the answer', 'ok'),
});

export const getDeliveryEndpoint = endpoint({
  tag: 'Events',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  id: 'getDelivery',
  as: 'webhookEndpoints.getDelivery',
  route: 'GET /v1/webhook-endpoints/:webhookEndpointId/deliveries/:deliveryId',
  scope: 'webhooks:read',
  names: { webhookEndpointId: 'webhook-endpoint', deliveryId: 'delivery' },
  summary: 'Get a delivery with its attempts',
  answer: t.object('DeliveryWithLog', {
    ...deliveryFields,
    createdAt: fields.createdAt,
    log: t.list(attemptAnswer, 'Each attempt'),
  }),
  example: {
    ...exampleDelivery,
    log: [
      {
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
  handle: async ({ db }: Context, { endpointId, deliveryId, ownerId }) => {
    await ownEndpoint(db, ownerId, endpointId);
    const delivery = await findDelivery(db, endpointId, deliveryId);
    if (delivery === undefined) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
    const attempts = await query<DeliveryAttempt>(
      db,
      `SELECT number, started_at, ms, http_status, error, response_head
         FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`,
      [deliveryId],
    );
    return { delivery, attempts };
  },
  present: ({ delivery, attempts }) => ({
    ...presentDelivery(delivery),
    createdAt: delivery.createdAt.toISOString(),
    log: attempts.map((attempt) =>
      t.presentRow(attemptAnswer, attempt, {
        durationMs: attempt.ms,
        statusCode: attempt.httpStatus,
      }),
    ),
  }),
});

export function findDelivery(
  db: Db,
  endpointId: string,
  id: string,
): Promise<Delivery | undefined> {
  return queryRow<Delivery>(
    db,
    `SELECT ${DELIVERY} FROM webhook_deliveries d JOIN events ON events.id = d.event_id
      WHERE d.id = $1 AND d.endpoint_id = $2`,
    [id, endpointId],
  );
}
