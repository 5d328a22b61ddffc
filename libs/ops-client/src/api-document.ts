import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The document for ops of the same release, as the gateway serves it. */
const DOCUMENT = join(__dirname, '../../../services/gateway/openapi-admin.json');

/** An argument or an option of a command, or a field of a form: a parameter, or a field of a body. */
export interface ApiField {
  /** From the outside in: a field of an object in the body has two names. */
  path: string[];
  place: 'path' | 'query' | 'body';
  isRequired: boolean;
  description: string;
  /** A number is of pesos or a count, and not a rate. */
  type: 'text' | 'id' | 'moment' | 'number' | 'rate' | 'integer' | 'boolean' | 'texts';
  choices: string[];
  default: unknown;
  /** A value of the document's example. */
  example: unknown;
}

/** The part of an operation that a command or a form needs. */
export interface ApiOperation {
  id: string;
  /** Resource and method of the generated client. */
  as: string;
  summary: string;
  description: string;
  fields: ApiField[];
  needsBody: boolean;
  /** The property of the answer that is a list, if there is one, and the columns of its table. */
  rows: string | undefined;
  columns: string[] | undefined;
  /** Fields of the answer that are never shown again. */
  secrets: string[];
  /** The answer may be that the change waits for a second person. */
  mayWait: boolean;
}

interface Schema {
  type?: string | string[];
  format?: string;
  maximum?: number;
  enum?: string[];
  default?: unknown;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

interface Content {
  'application/json'?: { schema: Schema; example?: Record<string, unknown> };
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  example?: unknown;
  schema: Schema;
}

interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
}

interface Described {
  operationId: string;
  'x-fiado-as'?: string;
  'x-fiado-columns'?: string[];
  'x-fiado-shown-once'?: string[];
  deprecated?: true;
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

let operations: ApiOperation[] | undefined;

/**
 * The operations that a command of one call can make, in the order of the document: those that answer JSON or
 * nothing, take no list of objects and are not deprecated. The document is read once.
 */
export function readOperations(): readonly ApiOperation[] {
  return (operations ??= operationsOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument));
}

function operationsOf(document: ApiDocument): ApiOperation[] {
  const follow = followIn(document);
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((described) => operationOf(described, follow) ?? []);
}

function operationOf(described: Described, follow: Follow): ApiOperation | undefined {
  const { operationId, summary, description, parameters, requestBody, responses } = described;
  const {
    'x-fiado-as': as,
    'x-fiado-columns': columns,
    'x-fiado-shown-once': secrets = [],
  } = described;
  if (as === undefined || described.deprecated === true) return undefined;
  const { schema = {}, example } = requestBody?.content['application/json'] ?? {};
  const body = follow(schema);
  const takesObjects = ({ items = {} }: Schema) => follow(items).type === 'object';
  if (Object.values(body.properties ?? {}).some(takesObjects)) return undefined;
  const fields = [
    ...parameters
      .map(follow)
      .filter((one) => one.in !== 'header')
      .map(fieldOfParameter),
    ...fieldsOfBody(body, example, follow),
  ];
  const answer = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
  const { properties = {} } = follow(answer ?? {});
  const list = Object.entries(properties).find(([, { type }]) => type === 'array');
  return {
    id: operationId,
    as,
    summary,
    description,
    fields,
    needsBody: requestBody?.required === true,
    rows: list?.[0],
    columns,
    secrets,
    mayWait: '202' in responses && ('200' in responses || '201' in responses),
  };
}

function fieldOfParameter({ name, in: place, required, ...rest }: Parameter): ApiField {
  const { description, example, schema } = rest;
  return {
    path: [name],
    place: place === 'path' ? 'path' : 'query',
    isRequired: required,
    description,
    ...valuesOf(schema),
    example: example ?? schema.enum?.[0],
  };
}

/** The fields of an object within the body are options of their own. */
function fieldsOfBody(
  { properties = {}, required = [] }: Schema,
  example: Record<string, unknown> | undefined,
  follow: Follow,
  within: string[] = [],
): ApiField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...within, name];
    const object = schema.anyOf?.map(follow).find((one) => one.properties !== undefined);
    const shown = example?.[name];
    if (object !== undefined) {
      const inner = shown as Record<string, unknown> | undefined;
      return fieldsOfBody({ ...object, required: [] }, inner, follow, path);
    }
    const isRequired = required.includes(name);
    const { description = '', examples } = schema;
    const fallback = isRequired ? (examples?.[0] ?? schema.enum?.[0]) : undefined;
    return [
      {
        path,
        place: 'body' as const,
        isRequired,
        description,
        ...valuesOf(schema),
        example: shown ?? fallback,
      },
    ];
  });
}

function valuesOf(schema: Schema): Pick<ApiField, 'type' | 'choices' | 'default'> {
  // Of a field that may be null, beside it.
  const choices = [schema, ...(schema.anyOf ?? [])].flatMap((one) => one.enum ?? []);
  const isFlag = choices.length === 2 && choices.includes('true') && choices.includes('false');
  return {
    type: isFlag ? 'boolean' : typeOf(schema),
    choices: isFlag ? [] : choices,
    default: schema.default,
  };
}

function typeOf({ type, format, maximum }: Schema): ApiField['type'] {
  const [name] = [type].flat();
  if (name === 'number' && maximum === 1) return 'rate';
  if (name === 'array') return 'texts';
  if (name === 'number' || name === 'integer' || name === 'boolean') return name;
  if (format === 'date-time') return 'moment';
  return format === 'uuid' ? 'id' : 'text';
}

/** What a reference of the document leads to; any other node itself. */
type Follow = <Node extends object>(node: Node) => Node;

function followIn(document: object): Follow {
  return (node) => {
    if (!('$ref' in node)) return node;
    const [, ...names] = String(node.$ref).split('/');
    const target = names.reduce((found: object, name) => found[name as never], document);
    return { ...target, ...node };
  };
}
