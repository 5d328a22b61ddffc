import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not on the public internet, or that carry another address inside: IANA's
 * special-purpose registry for IPv4.
 */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The same for IPv6. Only 2000::/3 is public: all else is refused as a whole, with loopback,
 * v4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96), unique local, link-local and multicast addresses.
 */
const SPECIAL_V6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  // Protocol assignments: Teredo, ORCHID, benchmarking.
  '2001::/23',
  '2001:db8::/32',
  // 6to4.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
];

/** Decides whether a webhook may go to an address, in any spelling. */
export type AddressGuard = (address: string) => boolean;

/**
 * @param allowedNetworks CIDR texts of special networks that may be reached all the same
 */
export function createAddressGuard(allowedNetworks: string[]): AddressGuard {
  // A list of each family: a v4 address would also be looked for in the v4-mapped part of ::/3.
  const special = { 4: listOf(SPECIAL_V4), 6: listOf(SPECIAL_V6) };
  const allowed = {
    4: listOf(allowedNetworks.filter((network) => !network.includes(':'))),
    6: listOf(allowedNetworks.filter((network) => network.includes(':'))),
  };
  return (address) => {
    const bare = address.split('%')[0] ?? '';
    const family = isIP(bare);
    if (family !== 4 && family !== 6) return false;
    const type = `ipv${family}` as const;
    return allowed[family].check(bare, type) || !special[family].check(bare, type);
  };
}

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether a text is a network such as 10.1.0.0/16 or fd00::/8. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

/** Longest URL of an endpoint, in characters. */
export const MAX_URL_LENGTH = 2_000;
const HTTPS_PORT = 443;
/** Ports below are those of other protocols, such as mail. */
const FIRST_FREE_PORT = 1_024;

/**
 * Checks the form of an endpoint's URL: https, a host name, port 443 or from 1024, no user.
 * @param isSandbox also lets http and IP addresses pass; the address itself is still checked
 * @returns the URL in its normal form; undefined when it may not be called
 */
export function webhookUrlOf(text: string, isSandbox: boolean): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(isSandbox && url.protocol === 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (isIP(hostOf(url)) !== 0 && !isSandbox) return undefined;
  // Without a port it is that of the protocol: 443, or 80 for a sandbox's http.
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) return undefined;
  url.hash = '';
  return url.href.length <= MAX_URL_LENGTH ? url : undefined;
}

/** The host name or address of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
