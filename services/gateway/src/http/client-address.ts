import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Who calls, for the limits of an address. */
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
    return proxyAddr(req, (_address, hop) => hop < hops);
  };
}
