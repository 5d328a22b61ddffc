import { Breaker } from '@fiado/chassis/clients/breaker';
import { Instances } from '@fiado/chassis/clients/instances';
import type { Service } from '@fiado/contracts/process-names';
import type { GatewayConfig } from './config';

/** A service that requests are forwarded to. */
interface Upstream {
  instances: Instances;
  /** For forwarded requests only: the gateway's own calls have another deadline. */
  breaker: Breaker;
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
 */
export function openUpstreams(config: GatewayConfig, now: () => number): Upstreams {
  return {
    accounts: openUpstream('accounts', config.ACCOUNTS_URL, now),
    transactions: openUpstream('transactions', config.TRANSACTIONS_URL, now),
    payments: openUpstream('payments', config.PAYMENTS_URL, now),
    notifier: openUpstream('notifier', config.NOTIFIER_URL, now),
  };
}

export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all(Object.values(upstreams).map(({ instances }) => instances.close()));
}

/** The only place where a service's URL becomes connections. */
function openUpstream(name: Service, urls: string, now: () => number): Upstream {
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
  return { instances, breaker: new Breaker({ upstream: name, use: 'forward', now }) };
}
