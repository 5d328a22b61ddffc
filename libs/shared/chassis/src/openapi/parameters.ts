import type { Field } from '@fiado/contracts/about';
import type { Route } from '../http/endpoint';
import { querySchema } from './body-schema';
import * as fields from './fields';
import type { JsonSchema } from './json-schema';
import type { Operation } from './operation';

/** Parameters of many lists; others are described in the class of their query. */
const QUERY_PARAMETERS: Record<string, Field> = {
  since: ['Only those since this ISO 8601 time; a date means its start', '2026-11-22'],
  limit: ['Most items on a page', 50],
  cursor: [
    '`nextCursor` of the previous page; absent for the first page',
    '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  ],
  cornerStoreId: ['Only those of this corner store', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'],
  status: ['Only items with this status'],
  from: [
    'Only items of this ISO 8601 time or later; a date means its start',
    '2026-11-22T00:00:00Z',
  ],
  to: ['Only items from before this ISO 8601 time; a date means its start', '2026-11-23'],
  wholesalerId: ['Only those of this wholesaler', '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'],
};

/** Parameters of paths. */
const PATH_PARAMETERS: Record<string, JsonSchema> = fields;

/**
 * The parameters of a route: of its path, of its query, and the headers that it takes.
 * @throws Error for a parameter of a path or a query that is not described
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
    const { about, ...schema } = PATH_PARAMETERS[name] ?? {};
    if (about === undefined) throw new Error(`The parameter ${name} is not described`);
    const [description, example] = about;
    return {
      name,
      in: 'path',
      required: true,
      description,
      example,
      schema,
    };
  });
}

function queryParameters({ id, query }: Operation): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = querySchema(query);
  return Object.entries(properties).map(([name, { about, ...schema }]) => {
    const field = about ?? QUERY_PARAMETERS[name];
    if (field === undefined) throw new Error(`The query of ${id} does not describe ${name}`);
    const isListed = schema.enum !== undefined;
    const [description, example] = field;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      example: isListed ? undefined : example,
      schema,
    };
  });
}
