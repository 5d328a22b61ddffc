import type { Field, Fields, JsonSchema } from '../json-schema';
import { changeRequestFields, cornerStoreFields, staffFields } from './corner-stores';
import { eventFields, invariantFields } from './events';
import { opsFields, opsOverviewFields, opsReadFields } from './ops';
import { opsOrderFields, orderFields } from './orders';
import { statementFields } from './statements';
import { opsDebtFields, paymentFields } from './payments';
import { privacyFields } from './privacy';

export const FIELDS: Fields = {
  ...cornerStoreFields,
  ...orderFields,
  ...paymentFields,
  ...statementFields,
  ...eventFields,
  ...opsFields,
  ...invariantFields,
  ...staffFields,
  ...changeRequestFields,
  ...privacyFields,
  ...opsReadFields,
  ...opsOrderFields,
  ...opsDebtFields,
  ...opsOverviewFields,
};

/**
 * Gives each field of a part of the document its description, and each field of one value an example.
 * @param name of the schema, or of the group of an event; undefined where a schema has no name
 * @throws Error for a field that is not described
 */
export function describeFields<Part>(part: Part, name?: string): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => describeFields(item, name)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, child]: [string, unknown]) => {
      if (key === 'example' || key === 'examples') return [key, child];
      const described = describeFields(child, name);
      return [key, key === 'properties' ? describeAll(described as Properties, name) : described];
    }),
  ) as Part;
}

/**
 * The description and example of a field.
 * @param schemaName of the schema that it stands in, if that has a name
 * @throws Error for a field that is not described
 */
export function fieldOf(name: string, schemaName?: string): Field {
  const field = FIELDS[`${schemaName}.${name}`] ?? FIELDS[name];
  if (field === undefined) throw new Error(`The field ${name} of ${schemaName} is not described`);
  return field;
}

type Properties = Record<string, JsonSchema>;

function describeAll(properties: Properties, name: string | undefined): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, describe(schema, key, name)]),
  );
}

function describe(schema: JsonSchema, key: string, name: string | undefined): JsonSchema {
  const [description, example] = fieldOf(key, name);
  const examples = hasClosedValues(schema) || example === undefined ? {} : { examples: [example] };
  return {
    ...schema,
    description:
      schema.description === undefined ? description : `${description}. ${schema.description}`,
    ...examples,
  };
}

/** The values that are listed in a schema are its examples. */
function hasClosedValues({ enum: values, const: value, anyOf }: JsonSchema): boolean {
  return values !== undefined || value !== undefined || anyOf?.some(hasClosedValues) === true;
}
