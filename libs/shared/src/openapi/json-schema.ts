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
  default?: unknown;
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
}

export const text: JsonSchema = { type: 'string' };
export const uuid: JsonSchema = { type: 'string', format: 'uuid' };
/** ISO 8601 in UTC. */
export const timestamp: JsonSchema = { type: 'string', format: 'date-time' };
export const pesos: JsonSchema = { type: 'number', description: 'MXN, at most two decimals' };
export const rate: JsonSchema = { type: 'number', description: 'A share: 0.05 is 5 %' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const flag: JsonSchema = { type: 'boolean' };
/** What a caller stored is answered as it was sent. */
export const freeForm: JsonSchema = { type: 'object', additionalProperties: true };

export function oneOf(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** An object with exactly these fields; those named optional may be absent, and no other comes. */
export function object(
  title: string,
  properties: Record<string, JsonSchema>,
  optional: string[] = [],
): JsonSchema {
  return {
    title,
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

/** `{success: true}`, what several endpoints of the contract answer. */
export const success = object('Success', { success: { type: 'boolean', const: true } });
