const CONNECTION = 'connection';

/** Headers of one connection, not of the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  CONNECTION,
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers that only the gateway may set. */
const DROPPED_FROM_REQUEST = new Set([
  ...HOP_BY_HOP,
  'authorization',
  // Baggage and tracestate may be long, and are for the caller's own tools.
  'baggage',
  'expect',
  'forwarded',
  'host',
  'traceparent',
  'tracestate',
  'x-request-id',
]);
const DROPPED_WITHOUT_BODY = new Set([...DROPPED_FROM_REQUEST, 'content-length']);
const INTERNAL_IN_REQUEST = /^x-(?:fiado|forwarded|real)-/;
const DROPPED_FROM_RESPONSE = new Set([...HOP_BY_HOP, 'x-request-id']);
const INTERNAL_IN_RESPONSE = /^x-fiado-/;
/** Connection names no further headers. */
const PLAIN_CONNECTION = /^\s*(?:keep-alive|close)?\s*$/i;

/**
 * The headers of a request that a service may see.
 * @param rawHeaders names and values in turn, as they came
 * @param withBody without it the length is dropped too: the body stays here
 */
export function requestHeaders(rawHeaders: string[], withBody: boolean): string[] {
  const dropped = withBody ? DROPPED_FROM_REQUEST : DROPPED_WITHOUT_BODY;
  return keptHeaders(rawHeaders, dropped, INTERNAL_IN_REQUEST);
}

/** The headers of a service's response that the caller may see. */
export function responseHeaders(rawHeaders: string[]): string[] {
  return keptHeaders(rawHeaders, DROPPED_FROM_RESPONSE, INTERNAL_IN_RESPONSE);
}

function keptHeaders(rawHeaders: string[], dropped: Set<string>, internal: RegExp): string[] {
  const named = namedByConnection(rawHeaders);
  const kept: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lowerCase = name.toLowerCase();
    if (dropped.has(lowerCase) || internal.test(lowerCase)) continue;
    if (named?.has(lowerCase) === true) continue;
    kept.push(name, rawHeaders[i + 1] as string);
  }
  return kept;
}

/** Headers that a Connection header declares to be of this connection only; mostly none. */
function namedByConnection(rawHeaders: string[]): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    const value = rawHeaders[i + 1] as string;
    if (PLAIN_CONNECTION.test(value)) continue;
    named ??= new Set();
    for (const token of value.split(',')) named.add(token.trim().toLowerCase());
  }
  return named;
}
