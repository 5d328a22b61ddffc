import { randomUUID } from 'node:crypto';
import type { DocumentedRoute } from './conformance';

/** A request to a documented route. */
export interface RouteCall {
  method: string;
  path: string;
  body: unknown;
}

/** Ids that a request names: in its path, and in its body where an example has one of that name. */
export type Ids = Record<string, string>;

/** Fields of a body whose ids go by another name than the path's. */
const LISTED_IDS: Record<string, string> = { externalCornerStoreIds: 'externalId' };

/** A request that is right but for its ids: the document's own example, with these ids in it. */
export function callOf({ method, path, operation }: DocumentedRoute, ids: Ids): RouteCall {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? randomUUID()),
  );
  const example = operation.requestBody?.content['application/json']?.example;
  const body = withIds(example, ids);
  const hasBody = method === 'post' || method === 'put';
  return { method: method.toUpperCase(), path: filled, body: hasBody ? body : undefined };
}

function withIds(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      const listed = ids[LISTED_IDS[name] ?? ''];
      if (listed !== undefined) return [name, [listed]];
      const id = ids[name];
      return [name, id !== undefined && typeof child === 'string' ? id : withIds(child, ids)];
    }),
  );
}
