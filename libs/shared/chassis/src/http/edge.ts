import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@fiado/contracts/errors';

/**
 * For answers over TLS alone (RFC 6797, 7.2): browsers use no plain HTTP with this host for a year.
 */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/** 16-bit parts of an IPv6 address that its /64 has. */
const PARTS_OF_64 = 4;

/** Longer than any address with a port, as some proxies forward it; longer texts are truncated. */
const MAX_ADDRESS_LENGTH = 64;

/** The address of the caller, for limits and for the audit log: an IPv4 address, or the /64 of an IPv6 address. */
export type ClientAddress = (req: IncomingMessage) => string;

/**
 * Each trusted proxy in front of the gateway adds the address it was called from to the right of
 * `X-Forwarded-For`; what stands further left was written by the caller and is not believed.
 * @param hops how many proxies callers come through; 0 believes only the connection
 */
export function createClientAddress(hops: number): ClientAddress {
  return (req) => {
    // A connection that is already gone has no address, which proxy-addr does not expect.
    if (req.socket.remoteAddress === undefined) return 'unknown';
    return networkOf(proxyAddr(req, (_address, hop) => hop < hops));
  };
}

/** One customer of a provider gets a whole /64, so each of its 2^64 addresses is the same caller. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, MAX_ADDRESS_LENGTH);
  const parsed = ipaddr.process(address);
  // An IPv4 address on a socket that takes both kinds: ::ffff:192.0.2.1.
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as IPv6).parts.slice(0, PARTS_OF_64);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * Window in seconds. All requests of a window may come at once, so this is also the burst as a
 * multiple of the rate.
 */
const WINDOW_SECONDS = 2;

/** How much of its limit a caller has left, for the headers RateLimit-*. */
export interface RateState {
  /** Requests in a window. */
  limit: number;
  remaining: number;
  /** Until the window ends. */
  resetSeconds: number;
}

/**
 * Guard: counts one request of that key or address.
 * @returns undefined where there is no limit
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
export type RateLimit = (caller: string) => Promise<RateState | undefined>;

/**
 * The request rate limit of each caller, in this process. Concurrency is not limited.
 * @param perSecond the rate in the long run, of all processes that share it; 0 is no limit
 * @param share the part of it that this process lets through, of a window at least one request
 */
export function createRateLimit(perSecond: number, share = 1): RateLimit {
  if (perSecond === 0) return async () => undefined;
  const limit = Math.max(1, Math.floor(perSecond * WINDOW_SECONDS * share));
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (caller) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(caller);
      return { limit, remaining: remainingPoints, resetSeconds: Math.ceil(msBeforeNext / 1000) };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    }
  };
}
