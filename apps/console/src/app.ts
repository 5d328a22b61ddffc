import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { html } from '@fiado/chassis/html';
import type { Health } from '@fiado/chassis/http/health';
import type { Logger } from '@fiado/chassis/logger';
import { observeRequest } from '@fiado/chassis/metrics';
import { createApi, ApiRefusal } from './api';
import type { ConsoleConfig } from './config';
import { setHeaders } from './http/headers';
import { limitRequests } from './http/limit-requests';
import { sendPage, type ConsoleContext } from './http/serve';
import { refusalPage } from './pages/refusal';
import { pageRoutes } from './pages/routes';
import { signInRoutes } from './pages/sign-in';
import { sayTo } from './words';

/** In bytes: a passkey's answer has some thousand; forms are smaller. */
export const BODY_LIMIT = 64 * 1024;
const MAX_FIELDS = 50;

/** Read once: the console's only script and style sheet. */
const files = Object.fromEntries(
  ['console.js', 'console.css'].map((name) => [
    `/${name}`,
    readFileSync(resolve(__dirname, '../public', name), 'utf8'),
  ]),
);

/** The console's Express app. It never listens. */
export function createApp(config: ConsoleConfig, log: Logger, health: Health): Express {
  const context: ConsoleContext = {
    api: createApi(config.GATEWAY_URL),
    consoleUrl: config.CONSOLE_URL,
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.CONSOLE_TRUSTED_PROXY_HOPS);
  app.use(logRequests(log), setHeaders(config.CONSOLE_URL));
  app.use(health.router);
  app.get(Object.keys(files), (req, res) => {
    res.type(extname(req.path)).send(files[req.path]);
  });
  app.use(toConsoleUrl(config.CONSOLE_URL), limitRequests(config));
  app.use(express.urlencoded({ extended: false, limit: BODY_LIMIT, parameterLimit: MAX_FIELDS }));
  app.use(express.json({ limit: BODY_LIMIT }));
  app.use(signInRoutes(context));
  app.use(pageRoutes(context));
  app.use((req, res) => {
    const say = sayTo(req);
    sendPage(req, res, {
      status: 404,
      title: say('No existe', 'Not found'),
      content: html`<p><a href="/">${say('Volver al inicio', 'Back to the start')}</a></p>`,
    });
  });
  app.use(answerFailure(log));
  return app;
}

/** Passkeys and cookies belong to localhost, so its address as a number is sent there. */
function toConsoleUrl(consoleUrl: string): RequestHandler {
  return (req, res, next) => {
    const isNumber = /^(127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(req.headers.host ?? '');
    if (!isNumber || req.method !== 'GET') return next();
    res.redirect(302, new URL(req.originalUrl.replace(/^\/+/, '/'), consoleUrl).href);
  };
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

function answerFailure(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const { status } = Object(error) as { status?: unknown };
    const known = typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
    const shown = error instanceof ApiRefusal ? error.status : known;
    if (shown >= 500) log.error({ err: error }, 'request failed');
    const say = sayTo(req);
    if (error instanceof ApiRefusal) return sendPage(req, res, refusalPage(error, say));
    sendPage(req, res, {
      status: shown,
      title: say('No se pudo', 'Not done'),
      content: html`<p>${say('Intenta en un momento.', 'Try again in a moment.')}</p>`,
    });
  };
}
