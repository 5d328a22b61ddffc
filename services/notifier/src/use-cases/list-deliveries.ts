import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { AppError } from '@fiado/contracts/errors';
import { pageOf } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  findAttempts,
  findDeliveries,
  findDelivery,
  type Delivery,
  type DeliveryAttempt,
} from '../db/webhook-deliveries.repository';
import type { DeliveryStatus } from '../domain/delivery';
import { typesNamedBy } from '../domain/event-pattern';
import { ownEndpoint } from '../steps/own-endpoint';

export interface ListDeliveries {
  ownerId: string;
  endpointId: string;
  status: DeliveryStatus | undefined;
  /** A type, or a pattern such as `transaction.*`. */
  type: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
  cursor: string | undefined;
  limit: number;
}

/** A page of the deliveries to an endpoint, newest first. @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  { ownerId, endpointId, type, cursor, limit, ...filter }: ListDeliveries,
): Promise<{ page: Delivery[]; nextCursor: string | null }> {
  await ownEndpoint(db, ownerId, endpointId);
  await requireCursor(db, cursor, 'webhook_deliveries', { endpoint_id: endpointId });
  const types = type === undefined ? undefined : typesNamedBy(type);
  const found = await findDeliveries(db, {
    ...filter,
    endpointId,
    types,
    afterId: cursor,
    limit: limit + 1,
  });
  return pageOf(found, limit, ({ id }) => id);
}

/**
 * A delivery with its attempts.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND
 */
export async function getDelivery(
  { db }: Pick<Context, 'db'>,
  { ownerId, endpointId, deliveryId }: { ownerId: string; endpointId: string; deliveryId: string },
): Promise<{ delivery: Delivery; attempts: DeliveryAttempt[] }> {
  await ownEndpoint(db, ownerId, endpointId);
  const delivery = await findDelivery(db, endpointId, deliveryId);
  if (delivery === undefined) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
  return { delivery, attempts: await findAttempts(db, deliveryId) };
}
