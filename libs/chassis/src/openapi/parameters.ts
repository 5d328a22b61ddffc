import { EXPORT_KINDS } from '@fiado/contracts/exports';
import type { Route } from '../http/endpoint';
import { querySchema } from './body-schema';
import { fieldOf } from './fields/fields';
import * as t from './json-schema';
import type { Fields, JsonSchema } from './json-schema';
import type { Operation } from './operation';

/** Parameters of paths that are no UUIDs. */
const TEXT_PARAMETERS = ['jobId', 'queue', 'externalId', 'wholesalerTransactionId', 'reference'];

/**
 * Each parameter of a query, by its name, or by `operation.name` where it means something else there.
 * Its schema comes from the class of the query.
 */
const QUERY_PARAMETERS: Fields = {
  until: ['Position at which the page ends at the latest', 500],
  cursor: [
    '`nextCursor` of the previous page; absent for the first page',
    '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  ],
  'listJobs.cursor': [
    '`nextCursor` of the previous page; absent for the first page',
    'notifier-100',
  ],
  limit: ['Most items on a page', 50],
  page: ['Number of the page, from 1', '1'],
  status: ['Only items with this status'],
  from: [
    'Only items of this ISO 8601 time or later; a date means its start',
    '2026-11-22T00:00:00Z',
  ],
  to: ['Only items from before this ISO 8601 time; a date means its start', '2026-11-23'],
  deliveredFrom: [
    'Only items delivered at this ISO 8601 time or later; a date means its start',
    '2026-11-22',
  ],
  deliveredTo: [
    'Only items delivered before this ISO 8601 time; a date means its start',
    '2026-11-23',
  ],
  paidFrom: [
    'Only items paid in full at this ISO 8601 time or later; a date means its start',
    '2026-11-22',
  ],
  paidTo: [
    'Only items paid in full before this ISO 8601 time; a date means its start',
    '2026-11-23',
  ],
  updatedSince: [
    'Only items that were created or changed at this ISO 8601 time or later, oldest change first; ' +
      'a date means its start',
    '2026-11-22T15:59:00Z',
  ],
  wholesalerId: ['Only those of this wholesaler', 'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d'],
  cornerStoreId: ['Only those of this corner store', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'],
  externalId: ['Only customers with this id in the system of their wholesaler', 'tienda-001'],
  'listAuditEntries.actor': [
    'Only entries of this actor: the id of a key or a party',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  ],
  'listAuditEntries.action': ['Only entries of this action', 'corner-store.approved'],
  'listAuditEntries.objectId': [
    'Only entries about this object',
    '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  ],
  wholesalerTransactionId: ['Only orders to which a wholesaler gave this id', 'PED-4711'],
  transactionId: ['Only those of this order', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'],
  userId: [
    'Only those about this user: the codes of an account',
    '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
  ],
  dueBefore: [
    'Only debts whose last day to pay ends before this ISO 8601 time or date',
    '2026-12-24',
  ],
  'listPrivacyRequests.kind': ['Only requests of this kind'],
  'listPrivacyRequests.userId': [
    'Only requests of this person',
    '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
  ],
  'listPrivacyRequests.dueBefore': [
    'Only requests of which something is due by this ISO 8601 time; a date means its end',
    '2026-12-24',
  ],
  since: ['Only those since this ISO 8601 time; a date means its start', '2026-11-22'],
  incrementalID: ['Only the order with this number', 42],
  q: ['The value to find, as a whole', 'tienda-001'],
  cornerStoreIds: [
    'Only these corner stores, such as those of a page of orders: up to 100 ids with commas between them',
  ],
  phoneHeld: ['`true`: only corner stores whose changed phone number holds their orders now'],
  queue: ['Only jobs of this queue'],
  state: ['Only jobs in this state'],
  type: ['Only this type, or a group of types such as `transaction.*`'],
  ownerId: [
    'Only those of this wholesaler or payment provider',
    'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d',
  ],
  webhookEndpointId: [
    'Only those to this webhook endpoint',
    '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e',
  ],
  template: ['Only messages of this kind'],
  phoneNumber: ['Only messages to this phone number', '+525512345678'],
  verificationId: [
    'Only messages with a code of this verification',
    '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  ],
  ...Object.fromEntries(
    ['Accounts', 'Transactions', 'Payments', 'Notifier'].map((service) => [
      `check${service}.from`,
      ['`next` of the range before', 'credit-lines'],
    ]),
  ),
  'showPortfolio.asOf': ['Day; without it the last one', '2026-11-22'],
  ...Object.fromEntries(
    ['listVintages', 'listPortfolioFlows', 'listCollections'].flatMap((operation) => [
      [`${operation}.from`, ['First day', '2026-11-01']],
      [`${operation}.to`, ['Last day, included', '2026-11-30']],
    ]),
  ),
  reason: ['Why the data of a blocked store are read; an approver gives it', 'claim'],
  paymentProvider: ['Only deposits of the provider with this name', 'Acme'],
  paymentProviderName: ['Name of the payment provider that the key belongs to', 'Acme'],
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
    const [description, example] = fieldOf(name);
    return {
      name,
      in: 'path',
      required: true,
      description,
      ...(example === undefined ? {} : { example }),
      schema: schemaOfParameter(name),
    };
  });
}

function schemaOfParameter(name: string): JsonSchema {
  if (name === 'exportKind') return t.oneOf(EXPORT_KINDS);
  return TEXT_PARAMETERS.includes(name) ? t.text : t.uuid;
}

function queryParameters({ id, query }: Operation): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = querySchema(query);
  return Object.entries(properties).map(([name, schema]) => {
    const field = QUERY_PARAMETERS[`${id}.${name}`] ?? QUERY_PARAMETERS[name];
    if (field === undefined) throw new Error(`The query of ${id} does not describe ${name}`);
    const isListed = schema.enum !== undefined;
    const [description, example] = field;
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
