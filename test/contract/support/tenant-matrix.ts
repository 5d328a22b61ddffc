import { randomUUID } from 'node:crypto';
import { documentedRoutes, type DocumentedRoute } from './conformance';
import type { Ids } from './operation-inputs';
import { deliverOrder, placeOrder, startVerification, type World } from './world';

/** Operations of a wholesaler that name no object of it. */
const NAMES_NOTHING = new Set([
  'listTransactions',
  'listStatements',
  'getDraftStatement',
  'getDefaultInformation',
  'issueAccessToken',
  'listEvents',
  'changeEventSettings',
  'listSandboxMessages',
  'createSandboxCustomer',
  'setSandboxClock',
  'resetSandbox',
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'listEventTypes',
]);

/** For each operation that names an object of a tenant: which names its answer must not depend on. */
export const NAMES: Record<string, Array<keyof OwnIds>> = {
  createAccountVerification: ['userId'],
  resendAccountCode: ['userId', 'verificationId'],
  confirmAccountVerification: ['userId', 'verificationId'],
  changePhoneNumber: ['userId'],
  recordOnboardingStep: ['userId', 'verificationId'],
  createKycLink: ['userId', 'verificationId'],
  createAccountLink: ['userId'],
  createTransactionLink: ['externalId', 'cornerStoreId'],
  createTransaction: ['cornerStoreId'],
  createTransactions: ['cornerStoreId'],
  checkTransaction: ['cornerStoreId'],
  getTransactionByWholesalerId: ['wholesalerTransactionId'],
  getTransaction: ['transactionId'],
  deliverTransaction: ['transactionId'],
  confirmTransaction: ['transactionId', 'transactionVerificationId'],
  resendTransactionCode: ['transactionId', 'transactionVerificationId'],
  resendDeliveryWord: ['transactionId'],
  cancelTransaction: ['transactionId'],
  createInvoice: ['transactionId'],
  getInvoice: ['transactionId'],
  getStatement: ['statementId'],
  listStatementLines: ['statementId'],
  getStatementLinesCsv: ['statementId'],
  createCreditNote: ['transactionId'],
  listCreditNotes: ['transactionId'],
  getPayment: ['transactionId'],
  createSandboxDeposit: ['transactionId'],
  getCornerStore: ['externalId'],
  getCornerStores: ['externalId'],
  getWebhookEndpoint: ['webhookEndpointId'],
  updateWebhookEndpoint: ['webhookEndpointId'],
  deleteWebhookEndpoint: ['deletedEndpointId'],
  testWebhookEndpoint: ['webhookEndpointId'],
  rotateWebhookSecret: ['webhookEndpointId'],
  replayEvents: ['webhookEndpointId'],
  listDeliveries: ['webhookEndpointId'],
  getDelivery: ['webhookEndpointId', 'deliveryId'],
  resendDelivery: ['webhookEndpointId', 'deliveryId'],
};

/** Ids of everything that one wholesaler has and another may try. */
const OWN_IDS = [
  'userId',
  'verificationId',
  'cornerStoreId',
  'externalId',
  'transactionId',
  'transactionVerificationId',
  'wholesalerTransactionId',
  'webhookEndpointId',
  'deletedEndpointId', // of an endpoint that its owner may delete
  'deliveryId',
  'statementId',
] as const;

export type OwnIds = Record<(typeof OWN_IDS)[number], string>;

/** The operations of the document that a wholesaler may call and that name something of a tenant. */
export const tenantRoutes: DocumentedRoute[] = documentedRoutes.filter(
  ({ operation }) =>
    operation['x-callers'].includes('wholesaler') && !NAMES_NOTHING.has(operation.operationId),
);

/** Real things of the world's wholesalers: a delivered and invoiced order, and a verification. */
export async function ownIds(world: World): Promise<OwnIds> {
  const { system, quick, quickCustomer, wholesaler, preApproved } = world;
  const wholesalerTransactionId = randomUUID();
  const ordered = await placeOrder(system, quick, quickCustomer, { wholesalerTransactionId });
  const { transactionId } = ordered;
  await deliverOrder(system, quick, transactionId);
  return {
    userId: preApproved.userId,
    verificationId: await startVerification(system, wholesaler, preApproved),
    cornerStoreId: quickCustomer.cornerStoreId,
    externalId: quickCustomer.externalId,
    transactionId,
    transactionVerificationId: ordered.verificationId,
    wholesalerTransactionId,
    statementId: await closeStatement(world),
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
}: World): Promise<Pick<OwnIds, 'webhookEndpointId' | 'deletedEndpointId' | 'deliveryId'>> {
  const create = async (): Promise<string> => {
    const body = { url: 'http://127.0.0.1:1025/' };
    const made = await system.call(quick.key, 'POST', '/webhook-endpoints', { body });
    return made.body.webhookEndpointId;
  };
  const webhookEndpointId = await create();
  const path = `/webhook-endpoints/${webhookEndpointId}/test`;
  const { deliveryId } = (await system.call(quick.key, 'POST', path)).body;
  return { webhookEndpointId, deletedEndpointId: await create(), deliveryId };
}

/** Ids of nothing. */
export function unknownIds(): OwnIds {
  return Object.fromEntries(OWN_IDS.map((name) => [name, randomUUID()])) as OwnIds;
}

/** Ids that paths and bodies call by another name. */
const CALLED: Partial<Record<keyof OwnIds, string>> = {
  transactionVerificationId: 'verificationId',
  deletedEndpointId: 'webhookEndpointId',
};

/** The ids that an operation names, as its path and body call them. */
export function idsFor(operationId: string, own: OwnIds): Ids {
  const names = NAMES[operationId];
  if (names === undefined) throw new Error(`The matrix has no row for ${operationId}`);
  return Object.fromEntries(names.map((name) => [CALLED[name] ?? name, own[name]]));
}
