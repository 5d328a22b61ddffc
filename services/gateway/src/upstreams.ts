import { Breaker } from '@fiado/chassis/clients/breaker';
import { Instances } from '@fiado/chassis/clients/instances';
import type { Service } from '@fiado/contracts/process-names';
import type { GatewayConfig } from './config';
import { CallerTurns } from './forwarding/caller-turns';

/** A service that requests are forwarded to. */
interface Upstream {
  instances: Instances;
  /** For forwarded requests only: the gateway's own calls have another deadline. */
  breaker: Breaker;
  /** Limits of its callers. */
  turns: CallerTurns;
}

export type Upstreams = Record<Service, Upstream>;
/** Connections to one instance; more requests than that wait in line, within their deadline. */
const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 1_000;
/**
 * Shorter than the services' own 65 s, so that nothing is sent on a connection they just closed.
 */
const KEEP_ALIVE_MS = 30_000;

/**
 * Opens the pools; they connect when they are first used.
 * @param now milliseconds of a clock that never goes back
 * @param recentMs how long a request counts as recent among those of its caller
 */
export function openUpstreams(
  config: GatewayConfig,
  now: () => number,
  recentMs: number,
): Upstreams {
  return {
    accounts: openUpstream('accounts', config.ACCOUNTS_URL, { now, recentMs }),
    transactions: openUpstream('transactions', config.TRANSACTIONS_URL, { now, recentMs }),
    payments: openUpstream('payments', config.PAYMENTS_URL, { now, recentMs }),
    notifier: openUpstream('notifier', config.NOTIFIER_URL, { now, recentMs }),
  };
}

export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all(Object.values(upstreams).map(({ instances }) => instances.close()));
}

/** The only place where a service's URL becomes connections. */
function openUpstream(
  name: Service,
  urls: string,
  { now, recentMs }: { now: () => number; recentMs: number },
): Upstream {
  const instances = new Instances(urls, {
    connections: CONNECTIONS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A service's hint of 65 s would replace the line above.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each forwarded request has one deadline for everything, queueing included.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const breaker = new Breaker({ upstream: name, use: 'forward', now });
  return { instances, breaker, turns: new CallerTurns(() => instances.count, now, recentMs) };
}

const CHECK_TIMEOUT_MS = 1_000;
/** Within this time the services of a system that starts together are all ready. */
const WAIT_FOR_ALL_MS = 30_000;

/**
 * The gateway's check of readiness. The gateway is ready once every service has been, or 30 s after its start once
 * any service has been: a gateway that restarts while one service is down must still serve the others. Later it
 * stays ready, whatever a service does: other routes are served, and requests to the missing service are answered
 * 503. Until then each check asks the services that have not been ready; checks at the same time ask once.
 * @returns a check that rejects while the gateway waits for services, naming them
 */
export function awaitUpstreams(upstreams: Upstreams, now: () => number): () => Promise<void> {
  const names = Object.keys(upstreams) as Service[];
  const awaited = new Set(names);
  const waitsForAllUntil = now() + WAIT_FOR_ALL_MS;
  const isSatisfied = () => awaited.size <= (now() < waitsForAllUntil ? 0 : names.length - 1);
  let asking: Promise<unknown> | undefined;

  const ask = async (name: Service) => {
    if (await isReady(upstreams, name)) awaited.delete(name);
  };
  return async () => {
    if (isSatisfied()) return;
    await (asking ??= Promise.all([...awaited].map(ask)).finally(() => (asking = undefined)));
    if (!isSatisfied()) throw new Error(`Not ready yet: ${[...awaited].join(', ')}`);
  };
}

async function isReady(upstreams: Upstreams, name: Service): Promise<boolean> {
  try {
    const { statusCode, body } = await upstreams[name].instances.next().request({
      method: 'GET',
      path: '/health/ready',
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    // Not ready yet: the next check asks again.
    return false;
  }
}
