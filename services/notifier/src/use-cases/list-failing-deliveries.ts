import { pageOf } from '@fiado/contracts/page';
import type { Context } from '../context';
import { findFailingDeliveries, type FailingDelivery } from '../db/webhook-deliveries.repository';

export interface ListFailingDeliveries {
  /** All owners' without it. */
  ownerId: string | undefined;
  endpointId: string | undefined;
  cursor: string | undefined;
  limit: number;
}

/** A page of the deliveries that fail, newest first, for ops. */
export async function listFailingDeliveries(
  { db }: Pick<Context, 'db'>,
  { cursor, limit, ...filter }: ListFailingDeliveries,
): Promise<{ page: FailingDelivery[]; nextCursor: string | null }> {
  const found = await findFailingDeliveries(db, { ...filter, afterId: cursor, limit: limit + 1 });
  return pageOf(found, limit, ({ id }) => id);
}
