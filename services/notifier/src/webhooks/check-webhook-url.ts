import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '@fiado/contracts/errors';
import { hostOf, webhookUrlOf, type AddressGuard } from './address-guard';

/**
 * Checks that an endpoint's URL may be called. It is checked again at each connection: a name may
 * lead elsewhere by then.
 * @returns the URL in its normal form
 * @throws AppError WEBHOOK_URL_NOT_ALLOWED, with one text for all causes: whoever could tell a name
 *   without addresses from one with private ones could map a network from outside
 */
export async function checkWebhookUrl(
  {
    isSandbox,
    resolveHost,
    mayReach,
  }: { isSandbox: boolean; resolveHost: ResolveHost; mayReach: AddressGuard },
  text: string,
): Promise<string> {
  const url = webhookUrlOf(text, isSandbox);
  if (url === undefined) throw new AppError('WEBHOOK_URL_NOT_ALLOWED');
  const addresses = await resolveHost(hostOf(url)).catch(() => []);
  if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address))) {
    throw new AppError('WEBHOOK_URL_NOT_ALLOWED');
  }
  return url.href;
}

/** An IP address of a host name. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a host name. @throws Error when the name has none, or no server answers */
export type ResolveHost = (hostname: string) => Promise<HostAddress[]>;
/** For each server, in milliseconds; two tries stay below the time to connect. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the DNS servers of the system. Not `dns.lookup`: its four threads are shared with the rest of
 * the process, so names whose servers do not answer would stop everybody's. `/etc/hosts` is not read.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  if (hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family: family as 4 | 6 }];
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses: HostAddress[] = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({
      address,
      family: 4 as const,
    })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({
      address,
      family: 6 as const,
    })),
  ];
  if (addresses.length > 0) return addresses;
  throw v4.status === 'rejected' ? v4.reason : new Error(`${hostname} has no address`);
};
