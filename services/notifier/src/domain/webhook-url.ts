import { isIP } from 'node:net';

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
