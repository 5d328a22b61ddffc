import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express, type RequestHandler } from 'express';
import { DEFAULT_BODY_LIMIT, DEFAULT_MAX_VALUES } from '@fiado/contracts/body-limits';
import { AppError } from '@fiado/contracts/errors';
import type { InternalTokens } from '../keys/internal-token';
import type { Logger } from '../logger';
import { observeRequest } from '../metrics';
import { type Refusal, refusalOf } from '../refusals/refusal';
import { requestIdOf, withPassingRequestId, withRequestId } from '../request-context';
import { runIn } from '../tracing/tracer';
import { formBody, jsonBody, signedBody } from './body';
import { bodyLimitsOf, boundRequests } from './bound-requests';
import { allowCallers } from './caller';
import type { Callback, Route, ServedRoute } from './endpoint';
import { errorCodeOf, errorMiddleware } from './error-middleware';
import { traceRequest } from './trace-request';
import { requireUtf8Url } from './utf8';

/** Time for a whole request to arrive; the gateway's own limit is shorter. */
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The gateway takes 16 KiB of headers from a caller, and adds its own. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Longer than the keep-alive of any client, so that clients close idle connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How often a closing server looks for connections whose request is finished. */
const IDLE_SWEEP_MS = 50;
/** Paths that are read every few seconds, by machines that watch the process. */
const PROBED = /^\/(?:health|metrics)/;

export interface AppOptions {
  routes: ServedRoute[];
  callbacks?: Callback[];
  /** Routes without a caller: health and metrics. */
  open: RequestHandler | RequestHandler[];
  tokens: InternalTokens;
  log: Logger;
  /** Called with each refused change of a wholesaler, after its answer. It must not throw or wait. */
  onRefusal?: ((refusal: Omit<Refusal, 'refusedAt'>) => void) | undefined;
  /** Most requests of the process do not come here (withPassingRequestId). */
  isAside?: boolean;
}

/** The Express app of a service: request id, health, then the route table. It never listens. */
export function createApp({
  routes,
  callbacks = [],
  open,
  tokens,
  log,
  onRefusal,
  isAside = false,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestLog(log, { operations: operationsOf(routes), onRefusal, isAside }));
  app.use(open);
  app.use(requireUtf8Url);
  for (const { method, path, allow, scope, handle, ...limits } of routes) {
    const { bodyLimit = DEFAULT_BODY_LIMIT, maxValues = DEFAULT_MAX_VALUES } = limits;
    app[method](
      path,
      keepFromCaches,
      allowCallers(tokens, allow, scope),
      ...jsonBody(bodyLimit, maxValues),
      handle,
    );
  }
  for (const { path, signedJson, handle } of callbacks) {
    const body = signedJson === undefined ? formBody() : signedBody(signedJson.limit);
    app.post(path, allowCallers(tokens, ['callback']), ...body, handle);
  }
  for (const [path, allow] of methodsByPath(routes)) {
    app.all(path, (_req, res) => {
      res.setHeader('Allow', allow);
      throw new AppError('METHOD_NOT_ALLOWED');
    });
  }
  app.use(() => {
    throw new AppError('ROUTE_NOT_FOUND');
  });
  app.use(errorMiddleware(log));
  return app;
}

/** The names of the operations, by method and path. */
function operationsOf(routes: Route[]): Map<string, string> {
  return new Map(
    routes.flatMap(({ method, path, operation }) =>
      operation === undefined ? [] : [[`${method.toUpperCase()} ${path}`, operation.id]],
    ),
  );
}

/** The value of the Allow header of each path (RFC 9110, 15.5.6). */
function methodsByPath(routes: Route[]): [path: string, allow: string][] {
  const allowed = new Map<string, string>();
  for (const { method, path } of routes) {
    const name = method === 'get' ? 'GET, HEAD' : method.toUpperCase();
    const known = allowed.get(path);
    allowed.set(path, known === undefined ? name : `${known}, ${name}`);
  }
  // Fixed paths first: /transaction/check is not the transaction called check.
  return [...allowed].sort(([one], [other]) => one.split(':').length - other.split(':').length);
}

/** Most answers hold personal data, so no proxy may cache them. */
const keepFromCaches: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** Gives each request its id (the gateway's, or a new one), one log line and one observation. */
function requestLog(
  logger: Logger,
  {
    operations,
    onRefusal,
    isAside,
  }: { operations: Map<string, string> } & Pick<AppOptions, 'onRefusal' | 'isAside'>,
): RequestHandler {
  // All fields are known, so the search for secrets (25 microseconds a line) is skipped.
  const log = logger.child({}, { redact: [] });
  return (req, res, next) => {
    const requestId = requestIdOf(req);
    res.setHeader('X-Request-Id', requestId);
    const startedAt = performance.now();
    // The route's pattern, never the path: paths carry ids, and an unknown path anything.
    // Express has the path of a route as it was given: a text, or an array of several.
    const routeOf = () =>
      String((req.route as { path: string | string[] } | undefined)?.path ?? 'none');
    const outcomeOf = () => ({ route: routeOf(), errorCode: errorCodeOf(res) });
    const span = PROBED.test(req.path) ? undefined : traceRequest(req, res, outcomeOf);
    res.on('finish', () => {
      const route = routeOf();
      const ms = performance.now() - startedAt;
      observeRequest(req.method, route, res.statusCode, ms / 1000);
      if (route.startsWith('/health')) return;
      const refused = refusalOf(req, res, route);
      log.info(
        {
          requestId,
          trace_id: span?.traceId,
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round(ms),
          ...refused?.logged,
        },
        'request',
      );
      const operation = operations.get(`${req.method} ${route}`) ?? route;
      for (const one of refused?.ofWholesaler ?? []) onRefusal?.({ ...one, requestId, operation });
    });
    runIn(span, () =>
      isAside === true
        ? withPassingRequestId(requestId, res, next)
        : withRequestId(requestId, next),
    );
  };
}

/** Listens with the app of these routes. @throws Error naming the port when it is taken */
export function serve({
  host,
  port,
  ...options
}: AppOptions & { host: string; port: number }): Promise<Server> {
  return listen(createApp(options), { host, port, routes: options.routes });
}

/**
 * Listens with limits on slow clients and long bodies.
 * @param routes of the app; other requests should have no body
 * @throws Error naming the port when it is taken
 */
export async function listen(
  app: Express,
  { host, port, routes = [] }: { host: string; port: number; routes?: Route[] },
): Promise<Server> {
  const server: Server = createServer({
    ...classesOf(app),
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  boundRequests(server, { maxBodyLength: bodyLimitsOf(routes), handle: app });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await startListening(server, host, port);
  return server;
}

/**
 * Classes for the requests and answers of the server of an app. Express gives each of them a prototype of the
 * app, with Object.setPrototypeOf, after which V8 has a hidden class for that object alone and finds none of
 * its properties in a cache: 80 of 105 µs of a small request. Objects of these classes have that prototype
 * already, and Express changes nothing.
 */
function classesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

export async function startListening(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} of ${host} is taken`) : error),
    );
    server.listen(port, host, resolve);
  });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * Finishes running requests and refuses new ones.
 * @param drainMs how long to accept requests before that. Each connection is closed with its
 * answer, so that callers move to another instance and no request is lost on a closed connection
 */
export async function closeServer(server: Server, drainMs = 0): Promise<void> {
  server.prependListener('request', (_req, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
  if (drainMs > 0) await sleep(drainMs);
  // Node closes idle connections now; a busy one would stay open for its keep-alive.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweep);
}
