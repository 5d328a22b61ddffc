import type { RequestHandler } from 'express';
import { STRICT_TRANSPORT } from '@fiado/chassis/http/strict-transport';

/** Nothing is loaded, run or embedded but the console's own files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Guard: the headers of every answer. @param consoleUrl whether it is behind TLS */
export function setHeaders(consoleUrl: string): RequestHandler {
  const headers = {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // The browser must send the origin of a form, so it is not `no-referrer`.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    ...(consoleUrl.startsWith('https:') && Object.fromEntries([STRICT_TRANSPORT])),
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
