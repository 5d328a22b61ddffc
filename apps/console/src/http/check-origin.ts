import type { Request } from 'express';

/**
 * Whether a form or a call of the script comes from the console itself. Browsers say so in
 * Sec-Fetch-Site, older ones in Origin; whoever says nothing is no browser at a page of ours.
 */
export function isFromOurPage(req: Request, consoleUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return req.headers.origin === new URL(consoleUrl).origin;
}
