import type { RequestHandler } from 'express';
import { STRICT_TRANSPORT } from '@fiado/chassis/http/strict-transport';

/**
 * Guard: tells browsers to use TLS alone, where a trusted proxy was called over TLS.
 * @param hops how many proxies callers come through; without one X-Forwarded-Proto is not believed
 */
export function createStrictTransport(hops: number): RequestHandler {
  return (req, res, next) => {
    const protocols = String(req.headers['x-forwarded-proto'] ?? '').split(',');
    if (hops > 0 && protocols.at(-1)?.trim() === 'https') res.setHeader(...STRICT_TRANSPORT);
    next();
  };
}
