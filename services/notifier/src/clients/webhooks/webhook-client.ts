import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, ProxyAgent, request, type Dispatcher } from 'undici';
import type { AddressGuard } from '../../domain/address-guard';
import { hostOf } from '../../domain/webhook-url';
import type { ResolveHost } from './resolve-host';
import { errorCodeOf, RefusedAddressError } from './webhook-error';
import { readHead } from './read-head';

/** An endpoint that has not answered by then has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of a connection without a request: events often come in groups. */
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
        const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
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
  if (proxyUrl !== undefined) return new ProxyAgent({ ...limits, uri: proxyUrl });
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
        // One that is not allowed among several is an attack, or a mistake of the same effect.
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
