import { createServer, type Server } from 'node:http';
import { boundRequests } from '@fiado/chassis/http/bound-requests';
import { createHealth } from '@fiado/chassis/http/health';
import { closeServer, listen, portOf, startListening } from '@fiado/chassis/http/server';
import type { Logger } from '@fiado/chassis/logger';
import { recordBuild } from '@fiado/chassis/metrics';
import { TIMING, type Timing } from '@fiado/chassis/timing';
import { isLoopback } from '@fiado/chassis/loopback';
import { createMetricsApp, createOwnApp } from './app';
import type { GatewayConfig } from './config';
import { createContext, monotonicClock, type MonotonicClock } from './context';
import { handleApiRequest } from './http/handle-api-request';
import { maxOwnBodyLength, refuseRequests } from './http/own-bodies';
import { refuseMalformed } from './http/refuse-malformed';
import { isApiUrl } from './http/route-table';
import { watchUpstreamLoad } from './metrics';
import { watchUpstreams } from './readiness';

/** Time for the headers of a request to arrive. That of the whole: limit-arrival.ts. */
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
 * Starts the gateway. It listens at once, and is ready as readiness.ts defines it.
 * @throws Error when the port is taken
 */
export async function startGateway(
  config: GatewayConfig,
  { log, now = monotonicClock, timing = TIMING }: GatewayParts,
): Promise<RunningGateway> {
  const context = createContext(config, { log, now, timing });
  const readiness = watchUpstreams(context.upstreams, { log, now });
  const health = createHealth({ readiness: { services: () => readiness.check() } });
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
  readiness.loop.start();
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
      await Promise.all([readiness.loop.stop(), refusedCallersLoop.stop()]);
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
