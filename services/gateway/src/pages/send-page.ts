import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { html } from '@fiado/chassis/html';
import type { Context } from '../context';
import { PAGE_STYLE, renderPage, type Lender, type Page } from './layout';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/**
 * Nothing is loaded or run but the page's own style, and its forms go nowhere but here. A page with
 * a script may load those of this server, and show the picture that its form is about to send.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The URL is a secret, so caches, search engines and other sites must not learn it. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  // Not `no-referrer`: then older browsers do not name the origin of a form.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Guard: the headers of every page, and the limit of an address. A form of another site is refused: it could
 * have an SMS sent.
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
export function guardPages({ limitPages, addressOf, lender }: Context): RequestHandler {
  return async (req: Request, res, next) => {
    res.set(PAGE_HEADERS);
    setLender(res, lender);
    await limitPages(addressOf(req));
    if (req.method === 'POST' && isOfAnotherSite(req)) {
      return sendPage(res, {
        status: 403,
        title: 'No se pudo',
        content: html`<p>Abre la página otra vez y vuelve a intentarlo. Nada cambió.</p>`,
      });
    }
    next();
  };
}

/**
 * Whether a form is of another site. Browsers send Sec-Fetch-Site, older ones Origin with each form; a caller that
 * sends neither is no browser.
 */
function isOfAnotherSite({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false;
  // A proxy may leave the port of Host out.
  return hostnameOf(headers.origin) !== hostnameOf(`http://${headers.host}`);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

export function sendPage(res: Response, page: Page): void {
  if (page.script !== undefined) {
    res.set(
      'Content-Security-Policy',
      `${CONTENT_SECURITY_POLICY}; script-src 'self'; img-src blob:`,
    );
  }
  res
    .status(page.status)
    .type('html')
    .send(renderPage(page, lenderOf(res)));
}

function setLender(res: Response, lender: Lender): void {
  res.locals.lender = lender;
}

function lenderOf(res: Response): Lender {
  return res.locals.lender as Lender;
}
