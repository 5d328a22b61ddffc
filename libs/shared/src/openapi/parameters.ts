import type { Route } from '../chassis/http/server';
import { bodySchema } from './body-schema';
import * as t from './json-schema';
import type { Operation } from './operation';

/** Each parameter of a path, by its name. */
const PATH_PARAMETERS: Record<string, { schema: t.JsonSchema; description: string }> = {
  userId: { schema: t.uuid, description: 'Fiado’s id of the user' },
  verificationId: {
    schema: t.uuid,
    description: 'Id of the verification, from the answer that created it',
  },
  transactionId: { schema: t.uuid, description: 'Fiado’s id of the transaction' },
  cornerStoreId: { schema: t.uuid, description: 'Fiado’s id of the corner store' },
  wholesalerId: { schema: t.uuid, description: 'Id of the wholesaler' },
  paymentProviderId: { schema: t.uuid, description: 'Id of the payment provider' },
  apiKeyId: { schema: t.uuid, description: 'Id of the key, not the key itself' },
  opsKeyId: { schema: t.uuid, description: 'Id of the ops key, not the key itself' },
  depositId: { schema: t.uuid, description: 'Id of the deposit' },
  documentId: { schema: t.uuid, description: 'Id of the image' },
  jobId: { schema: t.text, description: 'Id of the job' },
  webhookEndpointId: { schema: t.uuid, description: 'Id of the webhook endpoint' },
  deliveryId: { schema: t.uuid, description: 'Id of the delivery' },
  queue: { schema: t.text, description: 'Name of the queue' },
  externalId: { schema: t.text, description: 'The wholesaler’s own id of the customer' },
  wholesalerTransactionId: { schema: t.text, description: 'The wholesaler’s own id of the order' },
};

/** Each parameter of a query, by its name; its schema comes from the class of the query. */
const QUERY_PARAMETERS: Record<string, string> = {
  cursor: '`nextCursor` of the previous page; absent for the first page',
  limit: 'Most items on a page',
  page: 'Number of the page, from 1',
  status: 'Only items with this status',
  from: 'Only items of this ISO 8601 time or later; a date means its start',
  to: 'Only items from before this ISO 8601 time; a date means its start',
  wholesalerId: 'Only customers of this wholesaler',
  phoneHeld: '`true`: only corner stores whose changed phone number holds their orders now',
  queue: 'Only jobs of this queue',
  state: 'Only jobs in this state',
  type: 'Only this type, or a group of types such as `transaction.*`',
  ownerId: 'Only those of this wholesaler or payment provider',
  phoneNumber: 'Only messages to this phone number',
  verificationId: 'Only messages with a code of this verification',
  paymentProviderName: 'Name of the payment provider that the key belongs to',
};

/**
 * The parameters of a route: of its path, of its query, and the headers that it takes.
 * @throws Error for a parameter of a path or a query that is not described here
 */
export function parametersOf(route: Route, operation: Operation): object[] {
  return [
    ...pathParameters(route.path),
    ...queryParameters(operation),
    ...(operation.idempotent === true ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(operation.signed === true ? [{ $ref: '#/components/parameters/Fiado-Signature' }] : []),
    { $ref: '#/components/parameters/X-Request-Id' },
  ];
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const known = PATH_PARAMETERS[name];
    if (known === undefined) throw new Error(`The parameter ${name} of ${path} is not described`);
    return { name, in: 'path', required: true, ...known };
  });
}

function queryParameters({ id, query }: Operation): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = bodySchema(query);
  return Object.entries(properties).map(([name, schema]) => {
    const description = QUERY_PARAMETERS[name];
    if (description === undefined) throw new Error(`The query of ${id} does not describe ${name}`);
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}
