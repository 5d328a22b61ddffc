/** The host resolves to an address that webhooks may not go to. */
export class RefusedAddressError extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';
}

/** What a failed attempt is called, by the code of Node's or undici's error. */
const CODES: Record<string, string> = {
  ADDRESS_NOT_ALLOWED: 'ADDRESS_NOT_ALLOWED',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_RESET',
  UND_ERR_SOCKET: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  ENETUNREACH: 'NOT_REACHED',
  EHOSTUNREACH: 'NOT_REACHED',
};
const OTHER_NETWORK = 'NOT_REACHED';
/** Of the resolver: no such name, no answer, a broken one. */
const DNS_CODES = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EREFUSED',
  'EBADNAME',
]);
/** Of OpenSSL and of Node's check of the host name. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/;

/** All that an attempt without an answer may be called. */
export const WEBHOOK_ERRORS = [
  ...new Set([...Object.values(CODES), 'DNS', 'TLS', 'NOT_HTTP', 'SENDER_LOST']),
];

/**
 * The code of an attempt that got no answer. The error's own text is dropped: it may name an
 * address.
 * @param timedOut whether the time of the whole attempt was over
 */
export function errorCodeOf(error: unknown, timedOut: boolean): string {
  const code = codeIn(error);
  if (code === undefined || timedOut) return timedOut ? 'TIMEOUT' : OTHER_NETWORK;
  if (code.startsWith('HPE_')) return 'NOT_HTTP';
  if (DNS_CODES.has(code)) return 'DNS';
  if (TLS_CODE.test(code)) return 'TLS';
  return CODES[code] ?? OTHER_NETWORK;
}

/** undici may wrap the error of a connection, and Node those of several addresses. */
function codeIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as {
    code?: unknown;
    cause?: unknown;
    errors?: unknown[];
  };
  if (typeof code === 'string') return code;
  return codeIn(cause) ?? codeIn(errors?.[0]);
}
