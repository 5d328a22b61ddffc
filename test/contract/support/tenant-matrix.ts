import { randomUUID } from 'node:crypto';
import type { OwnedObject } from '@fiado/chassis/openapi/operation';
import { documentedRoutes, type DocumentedRoute } from './conformance';
import type { Ids } from './operation-inputs';
import { deliverOrder, placeOrder, startVerification, type World } from './world';

/** The id of one object of each kind that a wholesaler has and another may try, and of an endpoint to delete. */
export type OwnIds = Record<OwnedObject | 'deleted-endpoint', string>;

/** The operations of the document that a wholesaler may call and that name something of a tenant. */
export const tenantRoutes: DocumentedRoute[] = documentedRoutes.filter(
  ({ operation: { 'x-callers': callers, 'x-fiado-names': names = {} } }) =>
    callers.includes('wholesaler') && Object.keys(names).length > 0,
);

/** Real things of the world's wholesalers: a delivered and invoiced order, and a verification. */
export async function ownIds(world: World): Promise<OwnIds> {
  const { system, quick, quickCustomer, wholesaler, preApproved } = world;
  const wholesalerTransactionId = randomUUID();
  const ordered = await placeOrder(system, quick, quickCustomer, { wholesalerTransactionId });
  const { transactionId } = ordered;
  await deliverOrder(system, quick, transactionId);
  return {
    user: preApproved.userId,
    'account-code': await startVerification(system, wholesaler, preApproved),
    'corner-store': quickCustomer.cornerStoreId,
    customer: quickCustomer.externalId,
    order: transactionId,
    'order-code': ordered.verificationId,
    'own-order-id': wholesalerTransactionId,
    statement: await closeStatement(world),
    ...(await ownWebhook(world)),
  };
}

/** A statement with the delivered order. */
async function closeStatement({ system, quick }: World): Promise<string> {
  const body = { wholesalerId: quick.wholesalerId, until: new Date().toISOString() };
  const closed = await system.call(system.opsKey, 'POST', '/admin/statements/close', { body });
  return closed.body.statements[0].statementId;
}

/** Endpoints that nobody listens at, and a delivery to one. */
async function ownWebhook({
  system,
  quick,
}: World): Promise<Pick<OwnIds, 'webhook-endpoint' | 'deleted-endpoint' | 'delivery'>> {
  const create = async (): Promise<string> => {
    const body = { url: 'http://127.0.0.1:1025/' };
    const made = await system.call(quick.key, 'POST', '/webhook-endpoints', { body });
    return made.body.webhookEndpointId;
  };
  const webhookEndpointId = await create();
  const path = `/webhook-endpoints/${webhookEndpointId}/test`;
  const { deliveryId } = (await system.call(quick.key, 'POST', path)).body;
  return {
    'webhook-endpoint': webhookEndpointId,
    'deleted-endpoint': await create(),
    delivery: deliveryId,
  };
}

/** Ids of nothing, for the same kinds. */
export function unknownIds(own: OwnIds): OwnIds {
  return Object.fromEntries(Object.keys(own).map((kind) => [kind, randomUUID()])) as OwnIds;
}

/** The ids that an operation names, as its path and body call them. */
export function idsFor({ method, operation }: DocumentedRoute, own: OwnIds): Ids {
  return Object.fromEntries(
    Object.entries(operation['x-fiado-names'] ?? {}).map(([name, kind]) => [
      name,
      own[method === 'delete' && kind === 'webhook-endpoint' ? 'deleted-endpoint' : kind],
    ]),
  );
}
