import type { Document } from './document';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** Stands for values that a later version adds to an enum; the type of it is `string & {}`. */
export const OTHER_TEXT = 'OtherText';
/** Examples and headers, and the format of numbers: no types of the client come from them. */
const DROPPED = new Set(['example', 'examples', 'headers']);

/**
 * The document that types are generated from: its operations and events, the schemas that they use, and
 * enums of answers that allow for new values.
 */
export function preparedDocument(document: Document): Document {
  const kept = stripped({
    openapi: '3.1.0',
    info: { title: 'Fiado', version: '1' },
    paths: document.paths,
    webhooks: document.webhooks ?? {},
    components: document.components,
  } as unknown as Json) as JsonObject;
  const { paths: keptPaths, webhooks, components } = kept as Record<string, JsonObject>;
  const used = reachable(components!, [keptPaths!, webhooks!]);
  const sent = reachable(components!, requestBodies(keptPaths!));
  const schemas: JsonObject = { [OTHER_TEXT]: { type: 'string' } };
  for (const name of [...used].sort()) {
    const schema = (components!['schemas'] as JsonObject)[name];
    if (schema !== undefined) schemas[name] = sent.has(name) ? schema : withOpenEnums(schema);
  }
  return {
    ...kept,
    webhooks: withOpenEnums(webhooks!),
    components: { ...components, schemas },
  } as unknown as Document;
}

function stripped(node: Json, isMapOfNames = false): Json {
  if (Array.isArray(node)) return node.map((item) => stripped(item));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([name, child]) =>
      isMapOfNames || !(DROPPED.has(name) || (name === 'format' && child === 'double')),
  );
  return Object.fromEntries(
    entries.map(([name, child]) => [name, stripped(child, !isMapOfNames && name === 'properties')]),
  );
}

/** An enum of several texts also accepts other ones, so that a new value compiles. */
function withOpenEnums(node: Json): Json {
  if (Array.isArray(node)) return node.map(withOpenEnums);
  if (typeof node !== 'object' || node === null) return node;
  const { enum: values, description, ...rest } = node;
  if (Array.isArray(values) && values.length > 1 && rest['type'] === 'string') {
    const anyOf: Json = [
      { type: 'string', enum: values },
      { $ref: `#/components/schemas/${OTHER_TEXT}` },
    ];
    return { ...(description !== undefined && { description }), anyOf };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, child]) => [name, withOpenEnums(child)]),
  );
}

function requestBodies(paths: JsonObject): Json[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods as JsonObject).map(
      (operation) => (operation as JsonObject)['requestBody'] ?? null,
    ),
  );
}

/** The names of the schemas that nodes refer to, directly or through others. */
function reachable(components: JsonObject, roots: Json[]): Set<string> {
  const found = new Set<string>();
  const visit = (node: Json): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    if (typeof node['$ref'] === 'string') {
      const [, , group = '', name = ''] = node['$ref'].split('/');
      if (group === 'schemas' && found.has(name)) return;
      if (group === 'schemas') found.add(name);
      visit((components[group] as JsonObject)[name] ?? null);
    }
    Object.values(node).forEach(visit);
  };
  roots.forEach(visit);
  return found;
}
