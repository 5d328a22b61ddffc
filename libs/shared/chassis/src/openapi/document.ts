import { isDeepStrictEqual } from 'node:util';
import { DOWNLOADS_PATH } from '@fiado/contracts/exports';
import type { Route } from '../http/endpoint';
import { bodySchema, mergedBodySchema } from './body-schema';
import { changeRequested } from '../four-eyes';
import { describeFields, describeSchemas } from './describe-fields';
import { documentLinks, type Readers } from './document-links';
import {
  errorCodesOf,
  errorComponent,
  errorExample,
  errorResponses,
  headerReferences,
  RATE_LIMIT_HEADERS,
  sharedResponse,
} from './error-responses';
import { eventWebhooks } from './event-webhooks';
import { exampleOf } from './example';
import { OF_NO_OPERATION, type FailingOperation } from './error-table';
import { introduction } from './introduction';
import { type JsonSchema, text } from './json-schema';
import { type Operation, statusOf, TAGS } from './operation';
import { type AnswerForm, openAnswers } from './open-answers';
import { parametersOf } from './parameters';

const securitySchemes = {
  credential: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key or an access token, with the scheme Bearer or ApiKey or with none',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key or an access token with the scheme Bearer',
  },
};

const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes the request idempotent; a unique text of the caller’s choice',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'order-4711',
  },
  'Fiado-Signature': {
    name: 'Fiado-Signature',
    in: 'header',
    required: false,
    description:
      '`t=<time>,v1=<signature>`: seconds since 1970, at most 300 off, and the HMAC-SHA256 in ' +
      'lower-case hexadecimal of `<time>.<body>` with the body as it is sent. Several `v1` may be ' +
      'given, of which one must be right. A request without a body, such as a GET, signs `<time>.`. ' +
      'Needed where ops requires it of the payment provider.',
    schema: { type: 'string' },
    example: 't=1790955000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Identifies the request in all logs: 1 to 100 letters without accents, digits, `.`, `_` and `-`. Another one, or ' +
      'none, is replaced by a generated id',
    schema: { type: 'string' },
    example: 'my-request-1',
  },
};

const headers = {
  'X-Request-Id': {
    description: 'Id of the request, for support',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if the answer is that of an earlier request with this key',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: {
    description: 'Path of what was created',
    schema: { type: 'string', examples: ['/v1/transaction/0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'] },
  },
  'Fiado-Ignored': {
    description:
      'Fields of the body and parameters of the query that the operation does not know and ignored, separated ' +
      'by commas: at most 20, and 1,000 characters. Absent where there is none',
    schema: { type: 'string', examples: ['products.colour'] },
  },
  'Retry-After': {
    description: 'Seconds after which the call may be repeated',
    schema: { type: 'integer' },
  },
  'RateLimit-Limit': {
    description:
      'Requests that this credential may send in two seconds, to one of several gateways its share',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left of them',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the limit is full again',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } },
};

/** All paths of the API begin with it; the document's paths are relative to its server. */
const PREFIX = '/v1';
/** Only ops' keys may call these. */
const ADMIN_PREFIX = '/v1/admin/';
/** The calls between the console and accounts, which may change in any release, and links to downloads. */
const UNDESCRIBED = ['/v1/sign-in/', `${DOWNLOADS_PATH}/`];

/** The answer to a change that waits for a second person. */
const waitingResponse = (operation: Operation): object => ({
  description: 'Waits for a second person',
  headers: headersOf(operation),
  content: {
    'application/json': {
      schema: changeRequested,
      example: exampleOf(changeRequested),
    },
  },
});

/** Headers of each answer when all went well. */
function headersOf({ idempotent, ignoresUnknown, hasLocation }: Operation): object {
  return headerReferences([
    'X-Request-Id',
    ...RATE_LIMIT_HEADERS,
    ...(hasLocation === true ? ['Location'] : []),
    ...(idempotent === true ? ['Idempotent-Replayed'] : []),
    ...(ignoresUnknown === true ? ['Fiado-Ignored'] : []),
  ]);
}

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
 * @param form of the answers; the committed document has the open one
 * @throws Error for a route under /v1 that is not described, and for two operations of one id
 */
export function buildDocument(
  routes: Route[],
  { version, readers, form = 'open' }: { version: string; readers: Readers; form?: AnswerForm },
): OpenApiDocument {
  const isForOps = readers === 'ops';
  const paths: Record<string, Record<string, object>> = {};
  const operations = new Map<string, FailingOperation>();
  const served = new Set<Operation>();
  const described = routes
    .filter(({ path }) => path.startsWith(`${PREFIX}/`))
    .filter(({ path }) => !UNDESCRIBED.some((prefix) => path.startsWith(prefix)))
    .filter(({ path }) => path.startsWith(ADMIN_PREFIX) === isForOps);
  for (const route of described) {
    const { method, operation } = route;
    if (operation === undefined) throw new Error(`${method} ${route.path} is not described`);
    // Several services may serve one operation, each for some of its paths.
    if (served.has(operation)) continue;
    served.add(operation);
    const { id, tag } = operation;
    if (operations.has(id)) throw new Error(`Two operations are called ${id}`);
    const path = documentPath(route.path);
    operations.set(id, { id, tag, method, path, codes: errorCodesOf(route, operation) });
    (paths[path] ??= {})[method] = describeRoute(route, operation, { readers, form });
  }
  const usedTags = new Set<string>([...served].map(({ tag }) => tag));
  if (!isForOps) usedTags.add('Webhooks');
  const formed = <Part>(part: Part): Part => (form === 'open' ? openAnswers(part) : part);
  const responses = formed(namedParts('responses', paths, (name) => sharedResponse(name, form)));
  const webhooks = formed(isForOps ? {} : eventWebhooks(routes));
  const codes = [...OF_NO_OPERATION, ...[...operations.values()].flatMap((one) => one.codes)];
  const { hoisted, schemas } = hoistSchemas({ paths, responses, webhooks });
  if (form === 'open') schemas['Error'] = openAnswers(errorComponent(served, codes));
  return {
    openapi: '3.1.0',
    info: {
      ...introduction(readers, [...operations.values()]),
      version,
      contact: { name: 'The lender that runs this installation' },
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

/** '/v1/transaction/:transactionId' is '/transaction/{transactionId}' in the document. */
export function documentPath(path: string): string {
  return path.slice(PREFIX.length).replaceAll(/:(\w+)/g, '{$1}');
}

/** What is undefined is not in the document, which is JSON. */
function describeRoute(
  route: Route,
  operation: Operation,
  { readers, form }: { readers: Readers; form: AnswerForm },
): object {
  const { id, tag, summary, description, names = {} } = operation;
  const responses = {
    [String(statusOf(operation))]: successResponse(operation),
    ...(operation.mayWait === true ? { '202': waitingResponse(operation) } : {}),
    ...errorResponses(route, operation, form),
  };
  const callers =
    `Called by: ${route.allow.join(', ')}.` +
    (route.scope === undefined ? '' : ` Scope of the key: \`${route.scope}\`.`) +
    // The command line shows ops this text.
    (readers === 'ops' ? '' : ` [What to do about an error](${documentLinks(readers).errors}).`);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description === undefined ? callers : `${description}\n\n${callers}`,
    deprecated: operation.deprecated,
    'x-callers': route.allow,
    'x-scope': route.scope,
    // From these clients and the command line are derived.
    'x-fiado-as': operation.as,
    'x-fiado-once': operation.once,
    'x-fiado-names': Object.keys(names).length === 0 ? undefined : names,
    'x-fiado-shown-once': operation.shownOnce,
    'x-fiado-columns': operation.columns,
    parameters: parametersOf(route, operation),
    requestBody: requestBodyOf(operation),
    responses: form === 'open' ? openAnswers(responses) : responses,
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
        example: bodyExample,
      },
    },
  };
}

function successResponse(operation: Operation): object {
  const { answer, example, mediaType } = operation;
  const status = statusOf(operation);
  const content =
    mediaType === undefined
      ? { 'application/json': { schema: answer, example: exampleOf(answer, example) } }
      : // A text file is described by its text, any other file by its bytes.
        { [mediaType]: { schema: mediaType.startsWith('text/') ? text : answer } };
  return {
    description: status === 201 ? 'Created' : status === 204 ? 'Done; no body' : 'OK',
    headers: headersOf(operation),
    content: status === 204 ? undefined : content,
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

/** The parts that are referred to. */
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

/** A document's paths with each titled object replaced by a reference, and what they refer to. */
interface Hoisted<Paths> {
  hoisted: Paths;
  schemas: Record<string, JsonSchema>;
}

/**
 * Makes a component of every object schema with a title.
 * @throws Error when two different schemas have one title
 */
function hoistSchemas<Paths>(paths: Paths): Hoisted<Paths> {
  const schemas: Record<string, JsonSchema> = {};

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { title, about, ...rest } = Object.fromEntries(
      // An example is not a schema, whatever its fields are called.
      Object.entries(value).map(([name, child]) => [
        name,
        name === 'example' ? child : hoist(child),
      ]),
    );
    const isNamed = typeof title === 'string' && rest.type === 'object';
    const own = about === undefined ? {} : { about };
    if (!isNamed) return title === undefined ? { ...rest, ...own } : { title, ...rest, ...own };

    const known = schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, rest)) {
      throw new Error(`Two different schemas are called ${title}`);
    }
    schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}`, ...own };
  }

  return { hoisted: hoist(paths) as Paths, schemas };
}
