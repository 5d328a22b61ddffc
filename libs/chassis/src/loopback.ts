/** Whether only this machine reaches that host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The host of a URL; undefined for any other text. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replaceAll(/^\[|\]$/g, '') : undefined;
}
