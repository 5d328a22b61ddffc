import type { RequestHandler } from 'express';
import { createClientAddress } from '@fiado/chassis/http/client-address';
import { createRateLimit } from '@fiado/chassis/http/rate-limit';
import { AppError } from '@fiado/contracts/errors';
import { html } from '@fiado/chassis/html';
import type { ConsoleConfig } from '../config';
import { sayTo } from '../words';
import { sendPage } from './serve';

/**
 * Guard: answers 429 to an address beyond its rate, before anything is asked of the gateway. Nearly
 * each request is a step of a sign-in there, and the gateway counts those of all people as the
 * console's, so that one address could use up what the others need.
 */
export function limitRequests(config: ConsoleConfig): RequestHandler {
  const addressOf = createClientAddress(config.CONSOLE_TRUSTED_PROXY_HOPS);
  const limit = createRateLimit(config.CONSOLE_RATE_LIMIT_PER_SECOND);
  return async (req, res, next) => {
    try {
      await limit(addressOf(req));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const say = sayTo(req);
      res.set('Retry-After', String(error.retryAfterSeconds));
      sendPage(req, res, {
        status: 429,
        title: say('Demasiadas solicitudes', 'Too many requests'),
        content: html`<p>${say('Espera unos segundos.', 'Wait a few seconds.')}</p>`,
      });
      return;
    }
    next();
  };
}
