import type { JsonSchema } from './json-schema';

/** Gives each field of named schemas its description: see describeFields. */
export function describeSchemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeFields(schema, name)]),
  );
}

/**
 * Gives each field of a part of the document its description, and each field of one value an example.
 * @param name of the schema; undefined where it has none
 * @throws Error for a field that is not described
 */
export function describeFields<Part>(part: Part, name?: string): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => describeFields(item, name)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      // `about` of a list of fields describes its items, and no field.
      .filter(([key]) => key !== 'about')
      .map(([key, child]: [string, unknown]) => {
        if (key === 'example' || key === 'examples') return [key, child];
        if (key !== 'properties') return [key, describeFields(child, name)];
        const properties = Object.entries(child as Record<string, JsonSchema>);
        return [
          key,
          Object.fromEntries(
            properties.map(([field, schema]) => [field, describe(schema, `${name}.${field}`)]),
          ),
        ];
      }),
  ) as Part;
}

function describe(schema: JsonSchema, path: string): JsonSchema {
  if (schema.about === undefined) throw new Error(`The field ${path} is not described`);
  const [description, example] = schema.about;
  const examples = hasClosedValues(schema) || example === undefined ? {} : { examples: [example] };
  return {
    ...describeFields(schema, path),
    description:
      schema.description === undefined ? description : `${description}. ${schema.description}`,
    ...examples,
  };
}

/** The values that are listed in a schema are its examples. */
function hasClosedValues({ anyOf, ...schema }: JsonSchema): boolean {
  const values = schema.enum ?? schema.const ?? schema['x-known-values'];
  return values !== undefined || anyOf?.some(hasClosedValues) === true;
}
