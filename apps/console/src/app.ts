import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { html } from '@fiado/chassis/html';
import { createClientAddress, createRateLimit, STRICT_TRANSPORT } from '@fiado/chassis/http/edge';
import type { Health } from '@fiado/chassis/http/health';
import { requireUtf8, requireUtf8Url, urlencodedForm } from '@fiado/chassis/http/utf8';
import type { Logger } from '@fiado/chassis/logger';
import { observeRequest } from '@fiado/chassis/metrics';
import { AppError } from '@fiado/contracts/errors';
import { ApiRefusal, createApi } from './api';
import type { ConsoleConfig } from './config';
import { useTimeZone } from './frame/formats';
import { homeLink, refusalPage } from './frame/refusal';
import { sendPage, type ConsoleContext } from './frame/serve';
import { answerInLanguage, say } from './frame/words';
import { FILE_LIMIT, RECONCILE_PATH } from './reports/reconcile';
import { consoleRoutes } from './routes';

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

/** In bytes: a passkey's answer has some thousand; forms are smaller. */
const BODY_LIMIT = 64 * 1024;
const MAX_FIELDS = 50;

/** Read once: the console's only script and style sheet. */
const files = Object.fromEntries(
  ['console.js', 'console.css'].map((name) => [
    `/${name}`,
    readFileSync(resolve(__dirname, '../public', name), 'utf8'),
  ]),
);

/** Longest body of a POST, in bytes. */
export function bodyLimitOf(path: string | undefined): number {
  return path === RECONCILE_PATH ? FILE_LIMIT : BODY_LIMIT;
}

/** The console's Express app. It never listens. */
export function createApp(config: ConsoleConfig, log: Logger, health: Health): Express {
  useTimeZone(config.TIME_ZONE);
  const context: ConsoleContext = {
    api: createApi(config.GATEWAY_URL),
    consoleUrl: config.CONSOLE_URL,
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('fiado mode', config.FIADO_MODE);
  app.set('fiado outgoing', config.OUTGOING);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.CONSOLE_TRUSTED_PROXY_HOPS);
  app.use(answerInLanguage, logRequests(log), setHeaders(config.CONSOLE_URL));
  app.use(health.router);
  app.get(Object.keys(files), (req, res) => {
    res.type(extname(req.path)).send(files[req.path]);
  });
  app.use(toConsoleUrl(config.CONSOLE_URL), limitRequests(config), requireUtf8Url);
  // Before the general limit: a body is read once.
  app.use(RECONCILE_PATH, urlencodedForm({ limit: FILE_LIMIT, parameterLimit: MAX_FIELDS }));
  app.use(urlencodedForm({ limit: BODY_LIMIT, parameterLimit: MAX_FIELDS }));
  app.use(
    express.json({ limit: BODY_LIMIT, verify: (_req, _res, bytes) => requireUtf8(bytes, 'body') }),
  );
  app.use(consoleRoutes(context));
  app.use((req, res) => {
    sendPage(req, res, {
      status: 404,
      title: say('No existe', 'Not found'),
      content: homeLink(),
    });
  });
  app.use(answerFailure(log));
  return app;
}

/** One line and one measurement for each request: the pattern of its route, never its path, which may hold a token. */
function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.on('finish', () => {
      const { path = 'none' } = (req.route ?? {}) as { path?: string | string[] };
      const route = [path].flat().join(' ');
      const ms = performance.now() - startedAt;
      observeRequest(req.method, route, res.statusCode, ms / 1_000);
      log.info(
        { method: req.method, route, status: res.statusCode, ms: Math.round(ms) },
        'request',
      );
    });
    next();
  };
}

/** Guard: the headers of every answer. @param consoleUrl whether it is behind TLS */
function setHeaders(consoleUrl: string): RequestHandler {
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

/**
 * Passkeys and cookies belong to localhost, so its address as a number is sent there. Only the path and the
 * query are the caller's: an address that names another host leads to none.
 */
function toConsoleUrl(consoleUrl: string): RequestHandler {
  return (req, res, next) => {
    const isNumber = /^(127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(req.headers.host ?? '');
    if (!isNumber || req.method !== 'GET') return next();
    const url = new URL(consoleUrl);
    const [path = '', ...search] = req.originalUrl.split('?');
    url.pathname = path.startsWith('/') ? path.replace(/^[/\\]+/, '/') : '/';
    url.search = search.join('?');
    res.redirect(302, url.href);
  };
}

/**
 * Guard: answers 429 to an address beyond its rate, before anything is asked of the gateway. Nearly
 * each request is a step of a sign-in there, and the gateway counts those of all people as the
 * console's, so that one address could use up what the others need.
 */
function limitRequests(config: ConsoleConfig): RequestHandler {
  const addressOf = createClientAddress(config.CONSOLE_TRUSTED_PROXY_HOPS);
  const limit = createRateLimit(config.CONSOLE_RATE_LIMIT_PER_SECOND);
  return async (req, res, next) => {
    try {
      await limit(addressOf(req));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
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

function answerFailure(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const { status } = Object(error) as { status?: unknown };
    const known = typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
    const shown = error instanceof ApiRefusal ? error.status : known;
    if (shown >= 500) log.error({ err: error }, 'request failed');
    if (error instanceof ApiRefusal) return sendPage(req, res, refusalPage(error));
    sendPage(req, res, {
      status: shown,
      title: say('No se pudo', 'Not done'),
      content: html`<p>${say('Intenta en un momento.', 'Try again in a moment.')}</p>`,
    });
  };
}
