import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import ipaddr, { type IPv6 } from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Who calls, for limits and for the audit log: an IPv4 address, or the /64 of an IPv6 address. */
export type ClientAddress = (req: IncomingMessage) => string;

/** 16-bit parts of an IPv6 address that its /64 has. */
const PARTS_OF_64 = 4;
/** Longer than any address with a port, as some proxies forward it; longer texts are truncated. */
const MAX_ADDRESS_LENGTH = 64;

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
