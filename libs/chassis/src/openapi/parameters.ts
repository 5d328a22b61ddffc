import type { Route } from '../http/endpoint';
import { bodySchema } from './body-schema';
import { fieldOf } from './fields/fields';
import * as t from './json-schema';
import type { Fields } from './json-schema';
import type { Operation } from './operation';

/** Parameters of paths that are no UUIDs. */
const TEXT_PARAMETERS = ['jobId', 'queue', 'externalId', 'wholesalerTransactionId', 'reference'];

/**
 * Each parameter of a query, by its name, or by `operation.name` where it means something else there.
 * Its schema comes from the class of the query.
 */
const QUERY_PARAMETERS: Fields = {
  until: { description: 'Position at which the page ends at the latest', example: 500 },
  cursor: {
    description: '`nextCursor` of the previous page; absent for the first page',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'listJobs.cursor': {
    description: '`nextCursor` of the previous page; absent for the first page',
    example: 'notifier-100',
  },
  limit: { description: 'Most items on a page', example: 50 },
  page: { description: 'Number of the page, from 1', example: '1' },
  status: { description: 'Only items with this status' },
  from: {
    description: 'Only items of this ISO 8601 time or later; a date means its start',
    example: '2026-11-22T00:00:00Z',
  },
  to: {
    description: 'Only items from before this ISO 8601 time; a date means its start',
    example: '2026-11-23',
  },
  updatedSince: {
    description:
      'Only items that were created or changed at this ISO 8601 time or later, oldest change first; ' +
      'a date means its start',
    example: '2026-11-22T15:59:00Z',
  },
  wholesalerId: {
    description: 'Only those of this wholesaler',
    example: 'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d',
  },
  cornerStoreId: {
    description: 'Only those of this corner store',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  externalId: {
    description: 'Only customers with this id in the system of their wholesaler',
    example: 'tienda-001',
  },
  'listAuditEntries.actor': {
    description: 'Only entries of this actor: the id of a key or a party',
    example: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  },
  'listAuditEntries.action': {
    description: 'Only entries of this action',
    example: 'corner-store.approved',
  },
  'listAuditEntries.objectId': {
    description: 'Only entries about this object',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  wholesalerTransactionId: {
    description: 'Only orders to which a wholesaler gave this id',
    example: 'PED-4711',
  },
  transactionId: {
    description: 'Only those of this order',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  userId: {
    description: 'Only those about this user: the codes of an account',
    example: '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
  },
  dueBefore: {
    description: 'Only debts whose last day to pay ends before this ISO 8601 time or date',
    example: '2026-12-24',
  },
  since: {
    description: 'Only those since this ISO 8601 time; a date means its start',
    example: '2026-11-22',
  },
  incrementalID: { description: 'Only the order with this number', example: 42 },
  q: { description: 'The value to find, as a whole', example: 'tienda-001' },
  phoneHeld: {
    description: '`true`: only corner stores whose changed phone number holds their orders now',
  },
  queue: { description: 'Only jobs of this queue' },
  state: { description: 'Only jobs in this state' },
  type: { description: 'Only this type, or a group of types such as `transaction.*`' },
  ownerId: {
    description: 'Only those of this wholesaler or payment provider',
    example: 'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d',
  },
  webhookEndpointId: {
    description: 'Only those to this webhook endpoint',
    example: '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e',
  },
  phoneNumber: { description: 'Only messages to this phone number', example: '+525512345678' },
  verificationId: {
    description: 'Only messages with a code of this verification',
    example: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  },
  ...Object.fromEntries(
    ['Accounts', 'Transactions', 'Payments', 'Notifier'].map((service) => [
      `check${service}.from`,
      { description: '`next` of the range before', example: 'credit-lines' },
    ]),
  ),
  paymentProviderName: {
    description: 'Name of the payment provider that the key belongs to',
    example: 'Acme',
  },
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
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...fieldOf(name),
    schema: TEXT_PARAMETERS.includes(name) ? t.text : t.uuid,
  }));
}

function queryParameters({ id, query }: Operation): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = bodySchema(query);
  return Object.entries(properties).map(([name, schema]) => {
    const field = QUERY_PARAMETERS[`${id}.${name}`] ?? QUERY_PARAMETERS[name];
    if (field === undefined) throw new Error(`The query of ${id} does not describe ${name}`);
    const isListed = schema.enum !== undefined;
    const { description, example } = field;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      ...(isListed || example === undefined ? {} : { example }),
      schema,
    };
  });
}
