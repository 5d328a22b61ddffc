import type { JsonSchema } from '@fiado/shared/openapi/json-schema';
import { schemaOf, type DocumentedRoute } from './conformance';

/** A field of a documented body: its path in the document's example, such as transactions.0.id. */
export interface BodyField {
  path: string[];
  required: boolean;
}

/** Every field of a route's documented body whose parent is in the example; of arrays, item 0's. */
export function fieldsOf({ operation }: DocumentedRoute): BodyField[] {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
  return schema === undefined ? [] : fieldsIn(schema, [], example ?? {});
}

function fieldsIn(reference: JsonSchema, parent: string[], example: unknown): BodyField[] {
  if (typeof example !== 'object' || example === null) return [];
  const { properties = {}, required = [], items } = schemaOf(reference);
  const values = new Map<string, unknown>(Object.entries(example));
  if (items !== undefined) return fieldsIn(items, [...parent, '0'], values.get('0'));
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...parent, name];
    const field = { path, required: required.includes(name) };
    return [field, ...fieldsIn(property, path, values.get(name))];
  });
}

/** A copy of a body whose field has another value; undefined removes the field. */
export function withField(body: unknown, path: string[], value: unknown): unknown {
  const copy: unknown = structuredClone(body ?? {});
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
