import type { Route } from '../http/endpoint';
import { bodySchema, mergedBodySchema } from './body-schema';
import { errorExample, errorResponses, sharedResponse } from './error-responses';
import { eventWebhooks } from './event-webhooks';
import { describeFields } from './fields/describe-fields';
import { changeRequested } from './change-requested';
import { hoistSchemas } from './hoist-schemas';
import { INFO, type Readers } from './introduction';
import type { JsonSchema } from './json-schema';
import { statusOf, TAGS, type Operation } from './operation';
import { parametersOf } from './parameters';
import { headers, parameters, securitySchemes } from './protocol';

/** All paths of the API begin with it; the document's paths are relative to its server. */
const PREFIX = '/v1';
/** Only ops' keys may call these. */
const ADMIN_PREFIX = '/v1/admin/';
/** An agreement between the console and accounts, which may change in any release. */
const SIGN_IN_PREFIX = '/v1/sign-in/';

const ON_EVERY_SUCCESS = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** Of a change that waits for a second person. */
const WAITING = {
  description: 'Waits for a second person',
  headers: Object.fromEntries(
    ON_EVERY_SUCCESS.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: {
    'application/json': {
      schema: changeRequested,
      example: { changeRequestId: '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34', status: 'pending' },
    },
  },
};

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: object[];
  paths: Record<string, Record<string, object>>;
  components: Record<string, Record<string, unknown>>;
  [field: string]: unknown;
}

/**
 * The OpenAPI document of the routes that its readers call; internal routes are left out.
 * @throws Error for a route under /v1 that is not described, and for two operations of one id
 */
export function buildDocument(
  routes: Route[],
  { version, readers }: { version: string; readers: Readers },
): OpenApiDocument {
  const isForOps = readers === 'ops';
  const paths: Record<string, Record<string, object>> = {};
  const ids = new Set<string>();
  const described = routes
    .filter(({ path }) => path.startsWith(`${PREFIX}/`) && !path.startsWith(SIGN_IN_PREFIX))
    .filter(({ path }) => path.startsWith(ADMIN_PREFIX) === isForOps);
  for (const route of described) {
    const { method, operation } = route;
    if (operation === undefined) throw new Error(`${method} ${route.path} is not described`);
    if (ids.has(operation.id)) throw new Error(`Two operations are called ${operation.id}`);
    ids.add(operation.id);
    (paths[documentPath(route.path)] ??= {})[method] = describeRoute(route, operation);
  }
  const usedTags = new Set<string>(described.map(({ operation }) => operation?.tag ?? ''));
  const responses = namedParts('responses', paths, sharedResponse);
  const webhooks = isForOps ? {} : eventWebhooks(routes);
  const { hoisted, schemas } = hoistSchemas({ paths, responses, webhooks });
  return {
    openapi: '3.1.0',
    info: {
      ...INFO[readers],
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative: wherever the document is read from, there the API is.
    servers: [{ url: PREFIX, description: 'This installation' }],
    security: [{ credential: [] }, { bearer: [] }],
    tags: Object.entries(TAGS)
      .filter(([name]) => usedTags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: describeFields(sorted(hoisted.paths)),
    webhooks: describeFields(hoisted.webhooks),
    components: {
      securitySchemes,
      parameters: usedParts('parameters', parameters, hoisted),
      headers: usedParts('headers', headers, hoisted),
      responses: describeFields(hoisted.responses),
      schemas: describeSchemas(sorted(schemas)),
      examples: namedParts('examples', hoisted, errorExample),
    },
  };
}

function describeSchemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeFields(schema, name)]),
  );
}

/** '/v1/transaction/:transactionId' is '/transaction/{transactionId}' in the document. */
export function documentPath(path: string): string {
  return path.slice(PREFIX.length).replaceAll(/:(\w+)/g, '{$1}');
}

function describeRoute(route: Route, operation: Operation): object {
  const { id, tag, summary, description } = operation;
  const requestBody = requestBodyOf(operation);
  const callers =
    `Called by: ${route.allow.join(', ')}.` +
    (route.scope === undefined ? '' : ` Scope of the key: \`${route.scope}\`.`);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description === undefined ? callers : `${description}\n\n${callers}`,
    ...(operation.deprecated === true ? { deprecated: true } : {}),
    'x-callers': route.allow,
    ...(route.scope === undefined ? {} : { 'x-scope': route.scope }),
    parameters: parametersOf(route, operation),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(statusOf(operation))]: successResponse(operation),
      ...(operation.mayWait === true ? { '202': WAITING } : {}),
      ...errorResponses(route, operation),
    },
  };
}

function requestBodyOf({
  body,
  bodyExample,
  bodyOptional,
  ignoresUnknown,
}: Operation): object | undefined {
  if (body === undefined) return undefined;
  const schema: JsonSchema = Array.isArray(body) ? mergedBodySchema(body) : bodySchema(body);
  return {
    required: bodyOptional !== true,
    content: {
      'application/json': {
        schema: ignoresUnknown === true ? schema : { ...schema, additionalProperties: false },
        ...(bodyExample === undefined ? {} : { example: bodyExample }),
      },
    },
  };
}

function successResponse(operation: Operation): object {
  const { answer, example, mediaType = 'application/json', idempotent } = operation;
  const status = statusOf(operation);
  const content = {
    [mediaType]: { schema: answer, ...(example === undefined ? {} : { example }) },
  };
  const replayed = { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } };
  return {
    description: status === 201 ? 'Created' : status === 204 ? 'Done; no body' : 'OK',
    headers: {
      ...Object.fromEntries(
        ON_EVERY_SUCCESS.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      ...(idempotent === true ? replayed : {}),
    },
    ...(status === 204 ? {} : { content }),
  };
}

/** The parts of the components that are referred to, each described by its name. */
function namedParts(
  kind: string,
  from: object,
  describe: (name: string) => object,
): Record<string, object> {
  const names = [...referencesTo(kind, from)].sort();
  return Object.fromEntries(names.map((name) => [name, describe(name)]));
}

/** Those of the parts that are referred to. */
function usedParts(
  kind: string,
  parts: Record<string, object>,
  from: object,
): Record<string, object> {
  const names = referencesTo(kind, from);
  return Object.fromEntries(Object.entries(parts).filter(([name]) => names.has(name)));
}

function referencesTo(kind: string, from: object): Set<string> {
  const references = JSON.stringify(from).matchAll(
    new RegExp(`"#/components/${kind}/([\\w-]+)"`, 'g'),
  );
  return new Set([...references].map(([, name = '']) => name));
}

function sorted<T>(byName: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(byName).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
