import type { Db, Transaction } from '@fiado/chassis/db/database';
import { AppError } from '@fiado/contracts/errors';
import { findEndpoint, lockEndpoint } from '../db/webhook-endpoints.repository';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

/** An endpoint of this owner. @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function ownEndpoint(db: Db, ownerId: string, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(db, ownerId, id);
  if (endpoint === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint;
}

/** The same with its row locked. @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function lockOwnEndpoint(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<WebhookEndpoint> {
  if (!(await lockEndpoint(tx, ownerId, id))) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return ownEndpoint(tx, ownerId, id);
}

/** The same, for what is sent at once. @throws AppError WEBHOOK_ENDPOINT_IS_NOT_ENABLED too */
export async function lockEnabledEndpoint(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await lockOwnEndpoint(tx, ownerId, id);
  if (endpoint.state !== 'enabled') throw new AppError('WEBHOOK_ENDPOINT_IS_NOT_ENABLED');
  return endpoint;
}
