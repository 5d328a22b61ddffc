import type { Outgoing } from './attempt';
import { send, type Transport } from './send';
import type { RequestOptions } from './settings';

/** How an operation is called. */
export interface Route {
  resource: string;
  /** Of the method; without one it is the id of the operation. */
  name?: string;
  /** Without one it is GET. */
  method?: string;
  path: string;
  body?: true;
  query?: true;
  /** Property of the answer that has the items of a page. */
  items?: string;
  /**
   * A second request has a second effect, whatever its Idempotency-Key: it is sent again only if the
   * API refused it with 429.
   */
  once?: true;
}

/** A route with the name of its operation. */
export interface Operation extends Route {
  id: string;
  method: string;
}

/** As in package.json; a test compares. */
export const VERSION = '1.0.0';

const { process: node } = globalThis as { process?: { versions?: { node?: string } } };

/** Sent with each request, so that the lender sees which clients are in use. */
const USER_AGENT = `fiado-client/${VERSION} node/${node?.versions?.node?.split('.')[0] ?? 'none'}`;

/** Longest Idempotency-Key that the API accepts, in characters. */
const MAX_KEY_LENGTH = 255;

export type Query = Record<string, string | number | boolean | null | undefined>;

/** The request that the arguments of a method describe. */
interface Request {
  /** Below `/v1`, with the query. */
  path: string;
  /** To be sent as JSON. */
  body: object | undefined;
  options: RequestOptions;
}

/**
 * Calls an operation with the arguments of its method.
 * @param changes of the query, or of the body of a search, for the next page
 */
export async function call(
  transport: Transport,
  operation: Operation,
  args: readonly unknown[],
  changes: Query = {},
): Promise<unknown> {
  const { path, body, options } = requestOf(operation, args, changes);
  const request: Outgoing = {
    operation: operation.id,
    method: operation.method,
    url: `${transport.settings.baseUrl}/v1${path}`,
    headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    body: body === undefined ? undefined : JSON.stringify(body),
    // Made before the first attempt, so that all attempts have the same key.
    idempotencyKey: operation.method === 'GET' ? undefined : keyOf(options),
    once: operation.once ?? false,
    signal: options.signal,
  };
  if (request.body !== undefined) request.headers['content-type'] = 'application/json';
  if (request.idempotencyKey !== undefined) {
    request.headers['idempotency-key'] = request.idempotencyKey;
  }
  if (options.requestId !== undefined) request.headers['x-request-id'] = options.requestId;
  return send(transport, request, options);
}

/**
 * Reads the arguments of a method: texts of the path, body, query, options.
 * @param changes of the query, or of the body of a search, for the next page
 * @throws TypeError for a text of the path that would lead to another path
 */
export function requestOf(operation: Operation, args: readonly unknown[], changes: Query): Request {
  const rest = [...args];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.shift();
    // An empty text or a dot would lead to another path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${operation.id}: ${name} must be the text of an id`);
    }
    return encodeURIComponent(value);
  });
  const body = operation.body === true ? (rest.shift() as object | undefined) : undefined;
  const query = operation.query === true ? (rest.shift() as Query | undefined) : undefined;
  const isSearch = operation.items !== undefined && operation.body === true;
  const search = searchOf({ ...query, ...(isSearch ? {} : changes) });
  return {
    path: `${path}${search === '' ? '' : `?${search}`}`,
    body: body !== undefined && isSearch ? { ...body, ...changes } : body,
    options: (rest.shift() as RequestOptions | undefined) ?? {},
  };
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.toString();
}

function keyOf({ idempotencyKey }: RequestOptions): string {
  if (idempotencyKey === undefined) return crypto.randomUUID();
  if (!/^[\x20-\x7e]+$/.test(idempotencyKey) || idempotencyKey.length > MAX_KEY_LENGTH) {
    throw new TypeError('idempotencyKey must be 1 to 255 characters of ASCII');
  }
  return idempotencyKey;
}
