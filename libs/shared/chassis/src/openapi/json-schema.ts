import type { Readable } from 'node:stream';
import type { Field } from '@fiado/contracts/about';

/** The part of JSON Schema 2020-12 that the document of the API uses. */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null' | string[];
  /** An object's name: with one it becomes a component, so that generated clients have a type. */
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  /** Of an open answer: values that this version writes. */
  'x-known-values'?: readonly string[];
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  $ref?: string;
  /** Description and example of the field with this schema; the document shows them. */
  about?: Field;
}

/** A schema of an answer, which knows the type of the values that it describes. */
export interface Schema<Value> extends JsonSchema {
  /** For the compiler alone: no schema has it. */
  readonly valueType?: Value;
}

/** The values that a schema describes: what a presenter must return. */
export type AnswerOf<Described> = Described extends Schema<infer Value> ? Value : never;

/** What an example of an answer has of its own: its other values are the examples of the fields. */
export type ExampleOf<Described> = Differing<AnswerOf<Described>>;

/** Some of a value's fields, at any depth. */
export type Differing<Value> =
  Value extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Differing<Item>>
    : Value extends object
      ? { [Name in keyof Value]?: Differing<Value[Name]> }
      : Value;

export const text: Schema<string> = { type: 'string' };
export const uuid: Schema<string> = { type: 'string', format: 'uuid' };
export const uri: Schema<string> = { type: 'string', format: 'uri' };
/** ISO 8601 in UTC. */
export const timestamp: Schema<string> = { type: 'string', format: 'date-time' };
/** Without a format some generators take 32 bits, which lose centavos above 100,000. */
export const decimal: Schema<number> = { type: 'number', format: 'double' };
export const pesos: Schema<number> = { ...decimal, description: 'MXN, at most two decimals' };
export const cents: Schema<number> = { type: 'integer' };
export const rate: Schema<number> = { ...decimal, description: 'A share: 0.05 is 5 %' };
export const count: Schema<number> = { type: 'integer', minimum: 0 };
export const flag: Schema<boolean> = { type: 'boolean' };
/** JSON that a caller stored; it is answered as it was sent. */
export const freeForm: Schema<object> = { type: 'object', additionalProperties: true };
/** The bytes of a file. */
export const binary: Schema<Buffer> = { type: 'string', format: 'binary' };
/** The same, sent in parts. */
export const stream: Schema<Readable> = { type: 'string', format: 'binary' };
/** An answer without a body: 204. */
export const noContent: Schema<undefined> = {};

/** A field with its description and example in the document. */
export function field<Value>(schema: Schema<Value>, ...about: Field): Schema<Value> {
  return { ...schema, about };
}

/** A field with an id. */
export const id = (...about: Field): Schema<string> => field(uuid, ...about);
/** A field with an id, or null. */
export const idOrNull = (...about: Field): Schema<string | null> => field(nullable(uuid), ...about);
/** A field with a time. */
export const time = (...about: Field): Schema<string> => field(timestamp, ...about);
/** A field with a time, or null. */
export const timeOrNull = (...about: Field): Schema<string | null> =>
  field(nullable(timestamp), ...about);
/** A field with a text, or null. */
export const textOrNull = (...about: Field): Schema<string | null> =>
  field(nullable(text), ...about);

export function constant<const Value extends string | boolean>(value: Value): Schema<Value> {
  return { type: typeof value as 'string' | 'boolean', const: value };
}

export function oneOf<Value extends string>(values: readonly Value[]): Schema<Value> {
  return { type: 'string', enum: values };
}

export function listOf<Item>(items: Schema<Item>): Schema<readonly Item[]> {
  return { type: 'array', items };
}

export function nullable<Value>({ about, ...schema }: Schema<Value>): Schema<Value | null> {
  return { anyOf: [schema, { type: 'null' }], ...(about && { about }) };
}

/** A field with a list. */
export const list = <Item>(items: Schema<Item>, ...about: Field): Schema<readonly Item[]> =>
  field(listOf(items), ...about);

export function either<One, Other>(one: Schema<One>, other: Schema<Other>): Schema<One | Other> {
  return { anyOf: [one, other] };
}

type ObjectOf<Fields, Optional extends keyof Fields> = {
  [Name in Exclude<keyof Fields, Optional>]: AnswerOf<Fields[Name]>;
} & { [Name in Optional]?: AnswerOf<Fields[Name]> };

/** An object with exactly these fields; those named optional may be absent, and no other comes. */
export function object<
  Fields extends Record<string, JsonSchema>,
  Optional extends keyof Fields & string = never,
>(
  title: string,
  properties: Fields,
  optional: readonly Optional[] = [],
): Schema<ObjectOf<Fields, Optional>> {
  return {
    title,
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.some((one) => one === name)),
    additionalProperties: false,
  };
}

/** The fields of an answer that a row has under the same name; a Date stands for a text. */
type SharedFields<Answer, Row> = {
  [Name in keyof Answer & keyof Row]: Row[Name] extends
    | Answer[Name]
    | (string extends Answer[Name] ? Date : never)
    ? Name
    : never;
}[keyof Answer & keyof Row];

/**
 * The answer about a row: the fields that the schema and the row share, dates in ISO 8601, and those of
 * `own`. What the schema does not name is left out. Slower than an object literal: not for what is
 * answered often.
 */
export function presentRow<Answer extends object, Row extends object>(
  schema: Schema<Answer>,
  row: Row,
  own: Omit<Answer, SharedFields<Answer, Row>> & Partial<Answer>,
): Answer {
  const values = { ...row, ...own } as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(schema.properties ?? {}).map((name) => {
      const value = values[name];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as Answer;
}

const EXAMPLE_CURSOR = '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11';

/** A page of a list: these fields, and the `cursor` with which to ask for the next page. */
export function page<Fields extends Record<string, JsonSchema>>(
  title: string,
  properties: Fields,
  cursor = uuid,
): Schema<ObjectOf<Fields, never> & { nextCursor: string | null }> {
  const next = field(nullable(cursor), 'The next page; null on the last', EXAMPLE_CURSOR);
  return object(title, { ...properties, nextCursor: next });
}

/** `{success: true}`, what several endpoints of the contract answer. */
export const success = object('Success', { success: field(constant(true), 'Always true') });
