import type { JsonSchema } from './json-schema';

/**
 * An example of a schema's values, from the examples of its fields. Listed values have the first as theirs, a
 * flag is true, a list has one item, and an object that may be null is null.
 * @param own what differs from the fields' examples, at any depth
 */
export function exampleOf(schema: JsonSchema, own?: unknown): unknown {
  const { about, anyOf, enum: values, items, properties, required = [], type } = schema;
  if (own !== undefined) {
    const given = anyOf?.filter((one) => one.type !== 'null') ?? [schema];
    return given[0] === undefined || given.length > 1 ? own : withOwn(given[0], own);
  }
  if (about?.[1] !== undefined) return about[1];
  if (schema.const !== undefined) return schema.const;
  if (values !== undefined) return values[0];
  if (type === 'boolean') return true;
  if (anyOf !== undefined) {
    const [first = {}] = anyOf;
    return anyOf.some((one) => one.type === 'null') ? null : exampleOf(first);
  }
  if (items !== undefined) return [exampleOf(items)].filter((item) => item !== undefined);
  if (properties === undefined) return type === 'object' ? {} : undefined;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

function withOwn({ items, properties, required = [] }: JsonSchema, own: unknown): unknown {
  if (Array.isArray(own)) {
    return own.map((item: unknown) => (items === undefined ? item : exampleOf(items, item)));
  }
  if (typeof own !== 'object' || own === null || properties === undefined) return own;
  const given = own as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) || name in given)
      .map(([name, schema]) => [name, exampleOf(schema, given[name])]),
  );
}
