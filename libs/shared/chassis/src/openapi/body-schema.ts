import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { aboutField, type Field } from '@fiado/contracts/about';
import { QUANTITY_LIMIT } from '@fiado/contracts/decorators';
import { MAX_AMOUNT_CENTS } from '@fiado/contracts/money';
import * as fields from './fields';
import { decimal, type JsonSchema, nullable } from './json-schema';
import type { DtoClass } from './operation';

type SchemaObject = ReturnType<typeof targetConstructorToSchema>;

const MAX_PESOS = MAX_AMOUNT_CENTS / 100;

function pesosFrom(minimum: number): JsonSchema {
  const description = `MXN, at most ${MAX_PESOS.toLocaleString('en')}, at most two decimals`;
  return { ...decimal, minimum, maximum: MAX_PESOS, description };
}

/** The JSON Schema of our decorators and of those that the library does not know. */
const schemaOfDecorator: Record<string, JsonSchema> = {
  isNonNegativeAmount: pesosFrom(0),
  isPositiveAmount: pesosFrom(0.01),
  isSignedAmount: pesosFrom(-MAX_PESOS),
  isQuantity: {
    ...decimal,
    minimum: 0.001,
    exclusiveMaximum: QUANTITY_LIMIT,
    description: 'At most three decimals',
  },
  isMetadata: {
    type: 'object',
    additionalProperties: true,
    description: 'Stored as sent; at most 16 KB of JSON',
  },
  // IsArrayOf's own check: what the elements are is said by the nested class.
  isArrayOfObjects: {},
  isRate: {
    ...decimal,
    minimum: 0,
    maximum: 1,
    description: 'A share, at most six decimals: 0.05 is 5 %',
  },
  isTaxRate: { ...decimal, minimum: 0, description: 'At most six decimals' },
  isAddressOrNetwork: {
    type: 'string',
    description: 'An IPv4 address or network, or an IPv6 network of at most /64',
  },
  isTimeZoneName: { type: 'string', description: 'An IANA time zone' },
  isPaymentTime: {
    type: 'string',
    pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$`,
    description: '`YYYY-MM-DD HH:MM:SS.SSS` in the time zone of the provider',
  },
  isRFC3339: { type: 'string', format: 'date-time' },
  isDate: { type: 'string', format: 'date-time' },
  isLatitude: { ...decimal, minimum: -90, maximum: 90 },
  isLongitude: { ...decimal, minimum: -180, maximum: 180 },
  isNotEmpty: { minLength: 1 },
  isDefined: {},
  // A client cannot know which marks are invisible.
  isVisible: {},
};

/** A body's field that nothing else describes means the same as a shared one of its name. */
const shared: Record<string, JsonSchema> = fields;

interface DecoratorUse {
  type: string;
  target: unknown;
  propertyName: string;
}

/**
 * The JSON Schema of the bodies that a class lets pass, made from its decorators.
 * @throws Error naming a decorator without a JSON Schema
 */
export function bodySchema(Body: DtoClass): JsonSchema {
  const schema = { title: Body.name, ...schemaOfClass(Body) };
  return described(withNulls(withDefaults(schema, new Body())), (name) => {
    return aboutField(Body, name) ?? shared[name]?.about;
  });
}

/** The parameters that a class lets pass, of which none can be null. */
export function querySchema(Query: DtoClass): JsonSchema {
  return described(withDefaults(schemaOfClass(Query), new Query()), (name) =>
    aboutField(Query, name),
  );
}

function described(schema: JsonSchema, aboutOf: (name: string) => Field | undefined): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const about = aboutOf(name);
    return [name, about === undefined ? property : { ...property, about }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}

function schemaOfClass(Class: DtoClass): JsonSchema {
  return targetConstructorToSchema(Class, {
    additionalConverters: {
      ...Object.fromEntries(
        // A copy for each use: the library merges into what it gets.
        Object.entries(schemaOfDecorator).map(([name, said]) => [name, () => ({ ...said })]),
      ),
      // The library's own also say `type: number`, over the `integer` of a whole number.
      min: ({ constraints: [minimum] }) => ({ minimum: minimum as number }),
      max: ({ constraints: [maximum] }) => ({ maximum: maximum as number }),
      nestedValidation: nestedSchema,
      customValidation: refuseUnknown,
    },
  }) as JsonSchema;
}

/** One schema for a body that is read by several classes: `step` decides which of them apply. */
export function mergedBodySchema(bodies: DtoClass[]): JsonSchema {
  const schemas = bodies.map(bodySchema);
  const properties: Record<string, JsonSchema> = {};
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const known = properties[name];
      properties[name] =
        known === undefined
          ? property
          : {
              anyOf: [...(known.anyOf ?? [known]), property],
              ...(known.about && { about: known.about }),
            };
    }
  }
  const everywhere = (name: string): boolean =>
    schemas.every(({ required }) => required?.includes(name));
  const required = Object.keys(properties).filter(everywhere);
  return withNulls({
    title: schemas[0]?.title ?? '',
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
  });
}

/** Null counts as absent in each property that may be absent. */
function withNulls(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        required.includes(name) ? property : orNull(property),
      ]),
    ),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { title, type, enum: values, anyOf } = schema;
  if (Array.isArray(type)) return schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  // What a decorator excludes with `not` it excludes of values of its type. An object with a title becomes
  // a component, which stands elsewhere without null.
  // A list of values gives generated clients a type, in which some have no room for null.
  const isSimple =
    type !== undefined && title === undefined && values === undefined && !('not' in schema);
  if (isSimple) return { ...schema, type: [type, 'null'] };
  const { default: fallback, ...rest } = schema;
  return { ...nullable(rest), ...(fallback !== undefined && { default: fallback }) };
}

function nestedSchema({ target, propertyName }: DecoratorUse): SchemaObject {
  const found = defaultMetadataStorage.findTypeMetadata(target, propertyName);
  if (found === undefined) throw new Error(`${propertyName} is nested and has no @Type`);
  // The library's types are those of OpenAPI 3.0; what is said here is the same in 3.1.
  return bodySchema(found.typeFunction()) as SchemaObject;
}

function refuseUnknown({ type, propertyName }: DecoratorUse): never {
  throw new Error(`No JSON Schema is known for the decorator ${type} of ${propertyName}`);
}

/** A property with an initial value may be left out, and then has that value. */
function withDefaults(schema: JsonSchema, empty: object): JsonSchema {
  const values = new Map<string, unknown>(Object.entries(empty));
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      values.get(name) === undefined ? property : { ...property, default: values.get(name) },
    ]),
  );
  const { required = [], ...rest } = schema;
  const needed = required.filter((name) => values.get(name) === undefined);
  return { ...rest, properties, ...(needed.length === 0 ? {} : { required: needed }) };
}
