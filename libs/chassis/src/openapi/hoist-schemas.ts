import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema';

/** A document's paths with each titled object replaced by a reference, and what they refer to. */
export interface Hoisted<Paths> {
  hoisted: Paths;
  schemas: Record<string, JsonSchema>;
}

/**
 * Makes a component of every object schema with a title.
 * @throws Error when two different schemas have one title
 */
export function hoistSchemas<Paths>(paths: Paths): Hoisted<Paths> {
  const schemas: Record<string, JsonSchema> = {};

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = Object.fromEntries(
      // What is shown as an example is no schema, whatever its fields are called.
      Object.entries(value).map(([name, child]) => [
        name,
        name === 'example' ? child : hoist(child),
      ]),
    );
    const isNamed = typeof title === 'string' && rest.type === 'object';
    if (!isNamed) return title === undefined ? rest : { title, ...rest };

    const known = schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, rest)) {
      throw new Error(`Two different schemas are called ${title}`);
    }
    schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  }

  return { hoisted: hoist(paths) as Paths, schemas };
}
