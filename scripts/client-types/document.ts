/** The parts of an OpenAPI 3.1 document that the generator of the client reads. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

interface Operation {
  operationId: string;
  'x-fiado-as'?: string;
  'x-fiado-once'?: true;
  summary?: string;
  parameters?: Array<Parameter | { $ref: string }>;
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
}

/** An operation with what the client must know in order to call it. */
export interface ClientOperation {
  id: string;
  resource: string;
  name: string;
  /** It must not be repeated. */
  once: boolean;
  summary: string;
  method: string;
  path: string;
  pathParameters: string[];
  body: 'required' | 'optional' | 'none';
  query: 'required' | 'optional' | 'none';
  /** The property with the items of a page, if the answer is one. */
  items?: string;
}

/**
 * The operations that answer JSON or nothing: the client reads no files.
 * @throws Error for one that names no method
 */
export function jsonOperations(document: Document): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined && !answersFile(operation))
      .map(([method, operation]) => clientOperation(document, path, method, operation)),
  );
}

function answersFile({ responses }: Operation): boolean {
  return Object.keys(responses['200']?.content ?? {}).some((type) => !type.endsWith('json'));
}

function clientOperation(
  document: Document,
  path: string,
  method: string,
  operation: Operation,
): ClientOperation {
  const parameters = (operation.parameters ?? []).map(
    (one) => resolved(document, one) as Parameter,
  );
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const items = itemsOf(document, operation);
  const { operationId, 'x-fiado-as': as, 'x-fiado-once': once = false } = operation;
  const [resource = '', name] = as?.split('.') ?? [];
  if (name === undefined) throw new Error(`${operationId} names no method: as`);
  return {
    id: operationId,
    resource,
    name,
    once,
    summary: operation.summary ?? operationId,
    method: method.toUpperCase(),
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    body: presence(operation.requestBody !== undefined, operation.requestBody?.required),
    query: presence(
      query.length > 0,
      query.some(({ required }) => required),
    ),
    ...(items !== undefined && { items }),
  };
}

function presence(exists: boolean, required = false): 'required' | 'optional' | 'none' {
  if (!exists) return 'none';
  return required ? 'required' : 'optional';
}

/** A page has `nextCursor`, or `last` where pages are numbered, and one list. */
function itemsOf(document: Document, { responses }: Operation): string | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const { properties = {} } = resolved(document, schema) as Schema;
  if (!('nextCursor' in properties) && !('last' in properties)) return undefined;
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
}

/** Follows a reference into the components of the document. */
function resolved(document: Document, node: object): object {
  if (!('$ref' in node)) return node;
  const [, , group = '', name = ''] = String(node.$ref).split('/');
  const target = document.components[group]?.[name];
  if (typeof target !== 'object' || target === null) {
    throw new Error(`${String(node.$ref)} leads nowhere`);
  }
  return target;
}
