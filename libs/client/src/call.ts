import type { Outgoing } from './attempt';
import type { Operation } from './route';
import { send, type Transport } from './send';
import type { RequestOptions } from './settings';
import { USER_AGENT } from './version';

/** Longest Idempotency-Key that the API accepts, in characters. */
const MAX_KEY_LENGTH = 255;

type Query = Record<string, string | number | boolean | null | undefined>;

/** The arguments of a call: texts of the path, body, query, options. */
interface Parts {
  path: string;
  body: object | undefined;
  query: Query;
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
  const { path, body, query, options } = partsOf(operation, args);
  const isSearch = operation.items !== undefined && operation.body === true;
  const search = searchOf({ ...query, ...(isSearch ? {} : changes) });
  const request: Outgoing = {
    operation: operation.id,
    method: operation.method,
    url: `${transport.settings.baseUrl}/v1${path}${search === '' ? '' : `?${search}`}`,
    headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    body:
      body === undefined ? undefined : JSON.stringify(isSearch ? { ...body, ...changes } : body),
    // Before the first attempt, so that all attempts have the same one.
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

function partsOf(operation: Operation, args: readonly unknown[]): Parts {
  const rest = [...args];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.shift();
    // An empty text or a dot would lead to another path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${operation.id}: ${name} must be the text of an id`);
    }
    return encodeURIComponent(value);
  });
  return {
    path,
    body: operation.body === true ? (rest.shift() as object | undefined) : undefined,
    query: operation.query === true ? ((rest.shift() as object | undefined) ?? {}) : {},
    options: (rest.shift() as RequestOptions | undefined) ?? {},
  } as Parts;
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
