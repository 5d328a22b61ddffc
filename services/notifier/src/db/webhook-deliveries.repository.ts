import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { EventType } from '@fiado/contracts/events';
import type { DeliveryStatus } from '../domain/delivery';

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

export interface DeliveryAttempt {
  number: number;
  startedAt: Date;
  ms: number;
  httpStatus: number | null;
  error: string | null;
  responseHead: string | null;
}

const DELIVERY = `
  d.id, d.event_id, events.type, d.status, d.attempts, d.last_status_code,
  CASE WHEN d.status = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt",
  d.created_at`;

export interface DeliveryFilter {
  endpointId: string;
  status: DeliveryStatus | undefined;
  types: readonly string[] | undefined;
  from: Date | undefined;
  to: Date | undefined;
  afterId: string | undefined;
  limit: number;
}

/** Deliveries to an endpoint, newest first. */
export function findDeliveries(
  db: Db,
  { endpointId, status, types, from, to, afterId, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  return query<Delivery>(
    db,
    `SELECT ${DELIVERY} FROM webhook_deliveries d JOIN events ON events.id = d.event_id
      WHERE d.endpoint_id = $1
        AND ($2::text IS NULL OR d.status = $2)
        AND ($3::text[] IS NULL OR events.type = ANY ($3))
        AND ($4::timestamptz IS NULL OR d.created_at >= $4)
        AND ($5::timestamptz IS NULL OR d.created_at < $5)
        AND ($6::uuid IS NULL OR d.id < $6)
      ORDER BY d.id DESC LIMIT $7`,
    [endpointId, status ?? null, types ?? null, from ?? null, to ?? null, afterId ?? null, limit],
  );
}

/** A delivery that has failed for good, or waits for another attempt. */
export interface FailingDelivery extends Delivery {
  endpointId: string;
  ownerId: string;
  /** Why the last attempt got no answer. */
  lastError: string | null;
}

/** Failing deliveries of all owners, newest first: those of the index webhook_deliveries_failing. */
export function findFailingDeliveries(
  db: Db,
  {
    ownerId,
    endpointId,
    afterId,
    limit,
  }: {
    ownerId: string | undefined;
    endpointId: string | undefined;
    afterId: string | undefined;
    limit: number;
  },
): Promise<FailingDelivery[]> {
  return query<FailingDelivery>(
    db,
    `SELECT ${DELIVERY}, d.endpoint_id, endpoint.owner_id,
            (SELECT error FROM webhook_attempts
              WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) AS last_error
       FROM webhook_deliveries d JOIN events ON events.id = d.event_id
       JOIN webhook_endpoints endpoint ON endpoint.id = d.endpoint_id
      WHERE (d.status = 'failed' OR d.status = 'pending' AND d.attempts > 0)
        AND ($1::uuid IS NULL OR endpoint.owner_id = $1)
        AND ($2::uuid IS NULL OR d.endpoint_id = $2)
        AND ($3::uuid IS NULL OR d.id < $3)
      ORDER BY d.id DESC LIMIT $4`,
    [ownerId ?? null, endpointId ?? null, afterId ?? null, limit],
  );
}

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

/** The attempts at a delivery, in their order. */
export function findAttempts(db: Db, deliveryId: string): Promise<DeliveryAttempt[]> {
  return query<DeliveryAttempt>(
    db,
    `SELECT number, started_at, ms, http_status, error,
            response_head
       FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`,
    [deliveryId],
  );
}
