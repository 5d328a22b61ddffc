import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from '@fiado/chassis/undici';
import { connectOnce, proxyWithin } from '../connect-once';
import { hostOf, type AddressGuard } from './address-guard';
import type { ResolveHost } from './check-webhook-url';

/** An endpoint that has not answered by then has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long an unused connection is kept: events often come in groups. */
const KEEP_ALIVE_MS = 4_000;
/** Largest headers of an answer, in bytes. */
const MAX_HEADER_BYTES = 16_384;

export interface OutgoingWebhook {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of one attempt: an answer, or the code of an error. */
export type WebhookOutcome =
  | {
      status: number;
      /** Lower-case names. */
      headers: Record<string, string | string[] | undefined>;
      /** The beginning of the answer's body. */
      head: string;
    }
  | { error: string };

export interface WebhookClient {
  /** Posts one event. A redirect is an answer like any other: it is not followed. */
  post(webhook: OutgoingWebhook): Promise<WebhookOutcome>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  isAllowed: AddressGuard;
  resolve: ResolveHost;
  /** A proxy that connects in our place, and then guards the addresses in our place. */
  proxyUrl?: string | undefined;
}

/** A client that only connects to allowed addresses. */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const dispatcher = dispatcherOf(options);
  return {
    post: async ({ url, headers, body }) => {
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      try {
        const { origin, pathname, search } = new URL(url);
        const path = pathname + search;
        const post = { method: 'POST', origin, path, headers, body, signal } as const;
        const answer = await dispatcher.request(post);
        const { statusCode: status, headers: answered } = answer;
        return { status, headers: answered, head: await readHead(answer.body) };
      } catch (error) {
        return { error: errorCodeOf(error, signal.aborted) };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function dispatcherOf({ isAllowed, resolve, proxyUrl }: WebhookClientOptions): Dispatcher {
  const limits = {
    headersTimeout: ATTEMPT_TIMEOUT_MS,
    bodyTimeout: ATTEMPT_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  if (proxyUrl !== undefined) {
    return new ProxyAgent({
      ...limits,
      uri: proxyUrl,
      factory: connectOnce,
      clientFactory: proxyWithin(CONNECT_TIMEOUT_MS),
    });
  }
  return new Agent({ ...limits, connect: guardedConnector(isAllowed, resolve) });
}

/**
 * Connects to allowed addresses only. The name is resolved once: what is checked is what is
 * connected to. A literal address is checked here, because it is never looked up.
 */
function guardedConnector(isAllowed: AddressGuard, resolve: ResolveHost): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(isAllowed, resolve),
  });
  return (options, callback) => {
    const host = hostOf(options);
    if (isIP(host) !== 0 && !isAllowed(host)) {
      callback(new RefusedAddressError(), null);
      return;
    }
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null && !isAllowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(new RefusedAddressError(), null);
        return;
      }
      callback(...result);
    });
  };
}

function guardedLookup(isAllowed: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        // A name with one address that is not allowed is an attack, or a mistake with the same effect.
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
          callback(new RefusedAddressError(), '', 0);
        } else if (all === true) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/** Kept of an answer's body, in bytes. */
const MAX_HEAD_BYTES = 1_024;

/**
 * The beginning of a body as text that Postgres takes; the rest is not read. What goes wrong on the
 * way changes nothing: the status has decided by then.
 */
async function readHead(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Ends the loop, and with it the stream and its connection.
      if (length > MAX_HEAD_BYTES) break;
    }
  } catch {
    // The head ends where the answer broke off.
  }
  return Buffer.concat(chunks).subarray(0, MAX_HEAD_BYTES).toString().replaceAll('\0', '\u{FFFD}');
}

/** The host resolves to an address that webhooks may not go to. */
class RefusedAddressError extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';
}

/** The public code of a failed attempt, by the code of Node’s or undici’s error. */
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

/** Codes of the resolver: no such name, no answer, a broken answer. */
const DNS_CODES = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EREFUSED',
  'EBADNAME',
]);

/** Codes of OpenSSL and of Node's check of the host name. */
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
function errorCodeOf(error: unknown, timedOut: boolean): string {
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
