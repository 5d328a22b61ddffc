import type { OwnedObject } from '@fiado/chassis/openapi/operation';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Readers } from '@fiado/chassis/openapi/document-links';
import type { JsonSchema } from '@fiado/chassis/openapi/json-schema';
import type { AnswerForm } from '@fiado/chassis/openapi/open-answers';
import type { Answer } from '@fiado/chassis/testing/call';

/** A parameter, or where its text is. */
type DocumentedParameter =
  | {
      in: string;
      name: string;
      required?: boolean;
      example?: string | number | boolean;
      schema?: { enum?: string[] };
    }
  | { $ref: string };

/** The parts of an operation that the tests read. */
interface DocumentedOperation {
  operationId: string;
  'x-callers': string[];
  'x-scope'?: string;
  'x-fiado-names'?: Record<string, OwnedObject>;
  parameters?: DocumentedParameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, unknown>;
}

export interface DocumentedRoute {
  method: string;
  /** With its parameters in braces. */
  path: string;
  operation: DocumentedOperation;
}

interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    [part: string]: object;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Exclude<DocumentedParameter, { $ref: string }>>;
  };
}

// Compiled, as the running system is: its source would make every service a part of the chaos tests.
const { documentFor } = require('../../../scripts/dist/openapi-json') as {
  documentFor: (readers: Readers, form: AnswerForm) => ApiDocument;
};

/**
 * The documents of integrators and of ops as one, with closed answers: what both have is the same. The
 * committed ones are open, and would let an answer pass that has a field too many.
 */
const document = merged(closedDocument('integrators'), closedDocument('ops'));

function closedDocument(readers: Readers): ApiDocument {
  // What classes leave undefined is not in a document.
  return JSON.parse(JSON.stringify(documentFor(readers, 'closed'))) as ApiDocument;
}

function merged(one: ApiDocument, other: ApiDocument): ApiDocument {
  const components = Object.entries(one.components).map(([part, named]) => [
    part,
    { ...named, ...other.components[part] },
  ]);
  return {
    paths: { ...one.paths, ...other.paths },
    components: Object.fromEntries(components) as ApiDocument['components'],
  };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv, { formats: ['uuid', 'date-time', 'uri', 'email', 'double'] });
ajv.addFormat('binary', true);
ajv.addSchema(document, 'fiado');

/** Every route of the document. */
export const documentedRoutes: DocumentedRoute[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

/** A parameter of a path or a query, with an example and, where only some are allowed, all its values. */
interface Parameter {
  name: string;
  example: string;
  isRequired: boolean;
  values: string[];
}

/** The parameters that the path or the query of a route may have. */
export function parametersOf({ operation }: DocumentedRoute, place: 'path' | 'query'): Parameter[] {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? referred(parameter.$ref) : parameter,
  );
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example, required = false, schema }) => ({
      name,
      example: String(example ?? ''),
      isRequired: required,
      values: schema?.enum ?? [],
    }));
}

function referred(reference: string): Exclude<DocumentedParameter, { $ref: string }> {
  const name = reference.split('/').at(-1) ?? '';
  const found = document.components.parameters[name];
  if (found === undefined) throw new Error(`The document has no ${reference}`);
  return found;
}

/** The documented route of a request; undefined for one that nobody serves. */
function routeOf(method: string, url: string): DocumentedRoute | undefined {
  const segments = (url.split('?')[0] ?? '').split('/');
  const fitting = documentedRoutes.filter(
    (route) => route.method === method.toLowerCase() && fits(route.path.split('/'), segments),
  );
  // /transaction/check is not the transaction called check.
  return fitting.sort((one, other) => parameters(one.path) - parameters(other.path))[0];
}

/** @returns what of the answer the document does not say; empty when all of it is documented */
export function undocumented(method: string, url: string, answer: Answer): string[] {
  const route = routeOf(method, url);
  if (route === undefined) return [];
  const where = `${method} ${route.path} ${answer.status}`;
  const responses = ['paths', route.path, route.method, 'responses'];
  const response = route.operation.responses[String(answer.status)] as
    | DocumentedResponse
    | undefined;
  if (response === undefined) return [`${where} is no documented status: ${answer.text}`];
  if (answer.headers.get('x-request-id') === null) return [`${where} has no X-Request-Id`];

  const place =
    response.$ref === undefined
      ? pointer([...responses, String(answer.status)])
      : response.$ref.slice('#/'.length);
  const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (mediaType !== 'application/json') {
    const known = response.$ref === undefined && response.content === undefined;
    return known || response.content?.[mediaType] !== undefined ? [] : [`${where} is ${mediaType}`];
  }
  const validate = schemaAt(`${place}/content/application~1json/schema`);
  if (validate(answer.body) === true) return [];
  return [`${where}: ${ajv.errorsText(validate.errors)}: ${answer.text.slice(0, 500)}`];
}

/** A schema, or the component that it refers to. */
export function schemaOf(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** Whether the document takes this body. */
export function isDocumentedBody({ method, path }: DocumentedRoute, body: unknown): boolean {
  const place = pointer(['paths', path, method, 'requestBody', 'content', 'application/json']);
  return schemaAt(`${place}/schema`)(body);
}

function schemaAt(place: string): ValidateFunction {
  const validate = ajv.getSchema(`fiado#/${place}`);
  if (validate === undefined) throw new Error(`The document has nothing at ${place}`);
  return validate;
}

function pointer(path: string[]): string {
  return path
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
}

function fits(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => part.startsWith('{') || part === segments[i])
  );
}

function parameters(path: string): number {
  return path.split('{').length;
}
