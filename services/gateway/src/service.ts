import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Router, type Express } from 'express';
import { answerAndClose } from '@fiado/chassis/http/answer-and-close';
import {
  bodyLimitsOf,
  boundRequests,
  MAX_IGNORED_BODY_LENGTH,
  type Bounds,
} from '@fiado/chassis/http/bound-requests';
import { createHealth, type Health } from '@fiado/chassis/http/health';
import { closeServer, createApp, listen, portOf, startListening } from '@fiado/chassis/http/server';
import type { Logger } from '@fiado/chassis/logger';
import { isLoopback } from '@fiado/chassis/weak-settings';
import { recordBuild } from '@fiado/chassis/metrics';
import { requestIdOf } from '@fiado/chassis/request-context';
import { TIMING, type Timing } from '@fiado/chassis/timing';
import type { GatewayConfig } from './config';
import { createContext, monotonicClock, type Context, type MonotonicClock } from './context';
import { apiDocs } from './docs/api-docs';
import { presentError, refuseMalformed } from './forwarding/answer-error';
import { handleApiRequest } from './forwarding/handle-api-request';
import { isApiUrl } from './forwarding/route-table';
import { watchUpstreamLoad } from './metrics';
import { renderRefusal } from './pages/answer-failure';
import { isPageUrl, MAX_FORM_LENGTHS } from './pages/forms';
import type { Lender } from './pages/layout';
import { pageRoutes } from './pages/routes';
import { awaitUpstreams } from './upstreams';

/** Time for the headers of a request to arrive. forwarding/limit-arrival.ts limits that of the whole. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How exactly Node keeps it. */
const CONNECTIONS_CHECKING_INTERVAL_MS = 2_000;
/**
 * Longer than the 60 s of the usual load balancers, so that they close an idle connection first.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Time for running requests to end when the gateway stops. */
const STOP_MS = 10_000;

interface GatewayParts {
  log: Logger;
  now?: MonotonicClock;
  timing?: Timing;
}

export interface RunningGateway {
  port: number;
  /** Port of /metrics, if it has its own. */
  metricsPort: number | undefined;
  /** Graceful stop: not ready, no new requests, finish those that run, close. */
  close(): Promise<void>;
}

/**
 * Starts the gateway. It listens at once, and is ready when awaitUpstreams says so.
 * @throws Error when the port is taken
 */
export async function startGateway(
  config: GatewayConfig,
  { log, now = monotonicClock, timing = TIMING }: GatewayParts,
): Promise<RunningGateway> {
  const context = createContext(config, { log, now, timing });
  const health = createHealth({ readiness: { services: awaitUpstreams(context.upstreams, now) } });
  const { METRICS_PORT: metricsPort, INTERNAL_HOST: host } = config;
  const showsMetrics =
    metricsPort === undefined && config.FIADO_MODE === 'sandbox' && isLoopback(config.HOST);
  const app = createOwnApp(context, { health, showsMetrics });
  recordBuild('gateway');
  watchUpstreamLoad(context.upstreams);

  const server = createServer({
    requestTimeout: 0,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A message with two lengths, or a malformed one, may be an attack on the next parser
    // (request smuggling).
    insecureHTTPParser: false,
  });
  server.on('request', (req) => context.arrivals.watch(req));
  boundRequests(server, {
    maxBodyLength: maxOwnBodyLength,
    refuse: refuseRequests(context.lender),
    handle: (req, res) => {
      if (isApiUrl(req.url ?? '')) void handleApiRequest(context, req, res);
      else app(req, res);
    },
  });
  refuseMalformed(server);
  context.arrivals.start(server);
  await startListening(server, config.HOST, config.PORT);
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await listen(createMetricsApp(context, health), { host, port: metricsPort });
  const refusedCallersLoop = context.refusedCallers.createLoop();
  refusedCallersLoop.start();
  log.info(
    { port: portOf(server), ...(metricsServer && { metricsPort: portOf(metricsServer) }) },
    'listening',
  );

  return {
    port: portOf(server),
    metricsPort: metricsServer === undefined ? undefined : portOf(metricsServer),
    close: async () => {
      health.stopping();
      await finishRequests(server, config.DRAIN_MS);
      await refusedCallersLoop.stop();
      await context.refusedCallers.report().catch((error: unknown) => {
        log.warn({ err: error }, 'refused credentials not reported');
      });
      if (metricsServer !== undefined) await closeServer(metricsServer, 0);
      await context.close();
    },
  };
}

async function finishRequests(server: Server, drainMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs + STOP_MS);
  await closeServer(server, drainMs);
  clearTimeout(cut);
}

interface OwnApp {
  health: Health;
  /** Whether /metrics is served on the port of the API. */
  showsMetrics: boolean;
}

/** The gateway's own routes, outside /v1: health, metrics, API reference, pages and `GET /`. */
export function createOwnApp(context: Context, { health, showsMetrics }: OwnApp): Express {
  const { tokens, log } = context;
  const open = Router();
  open.use(context.strictTransport);
  open.use(health.router);
  if (showsMetrics) open.use(health.metrics);
  open.use(apiDocs());
  open.use(pageRoutes(context));
  open.get('/', (_req, res) => {
    res.vary('Accept').json({
      name: 'Fiado',
      api: '/v1',
      docs: '/docs',
      openapi: '/openapi.json',
      adminOpenapi: '/openapi-admin.json',
      health: '/health/ready',
    });
  });
  return createApp({ routes: [], open, tokens, log, isAside: true });
}

/** /metrics alone, for a port of its own. */
function createMetricsApp({ tokens, log }: Context, health: Health): Express {
  return createApp({ routes: [], open: health.metrics, tokens, log, isAside: true });
}

const limitOfForm = bodyLimitsOf(
  Object.entries(MAX_FORM_LENGTHS).map(([path, bodyLimit]) => ({
    method: 'POST',
    path,
    bodyLimit,
  })),
);

/**
 * The longest body, in bytes, of a request that the gateway does not forward. Undefined for one that
 * it forwards with its body: forwarding/request-bodies.ts counts that.
 */
function maxOwnBodyLength(req: IncomingMessage): number | undefined {
  const { method, url = '', headers } = req;
  if (isApiUrl(url)) {
    return method === 'GET' || method === 'HEAD' ? MAX_IGNORED_BODY_LENGTH : undefined;
  }
  const limit = limitOfForm(req);
  // A picture, the only longer form, must declare its length.
  if (headers['transfer-encoding'] !== undefined) return Math.min(limit, MAX_IGNORED_BODY_LENGTH);
  return limit;
}

/** Answers a request that is refused before its route is known, as a page where one was opened. */
function refuseRequests(lender: Lender): NonNullable<Bounds['refuse']> {
  return (req, res, error) => {
    const answer = isPageUrl(req.url ?? '')
      ? renderRefusal(error, lender)
      : presentError(error, requestIdOf(req));
    answerAndClose(res, error.status, answer);
  };
}
