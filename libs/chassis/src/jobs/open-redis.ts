import {
  Cluster,
  Redis,
  SentinelConnector,
  type RedisOptions,
  type SentinelConnectionOptions,
} from 'ioredis';
import { REDIS_FORMS, redisAddressOf, type RedisAddress } from './redis-address';

/**
 * A Sentinel or a node of a Cluster that does not answer for so long is skipped, in milliseconds.
 * The default of 10 s would be most of a failover.
 */
const SKIP_MS = 2_000;

/** A client of one server, of the master that Sentinels name, or of a Cluster. */
type RedisClient = Redis | Cluster;

interface Options extends Pick<
  RedisOptions,
  | 'maxRetriesPerRequest'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'connectTimeout'
  | 'commandTimeout'
> {
  /** Milliseconds until the n-th new connection; null: there is none. */
  retryStrategy: (times: number) => number | null;
}

/**
 * Connects to the Redis of a REDIS_URL, whatever its form. Every connection of Fiado is opened here.
 * @throws Error when the URL has no form of a Redis
 */
export function openRedis(url: string, options: Options): RedisClient {
  const address = redisAddressOf(url);
  if (address === undefined) throw new Error(`REDIS_URL ${REDIS_FORMS}`);
  if (address.form === 'server') return new Redis(url, options);
  return address.form === 'sentinel' ? openMaster(address, options) : openCluster(address, options);
}

/** Follows the master: a failover ends the connection, even one to a master that hangs. */
function openMaster(
  { tls, hosts, master, db, sentinelLogin, ...login }: RedisAddress & { form: 'sentinel' },
  options: Options,
): Redis {
  return new Redis({
    connectTimeout: SKIP_MS,
    ...options,
    ...given(login),
    db,
    name: master,
    sentinels: hosts,
    ...given({
      sentinelUsername: sentinelLogin.username,
      sentinelPassword: sentinelLogin.password,
    }),
    failoverDetector: true,
    Connector: MasterConnector,
    sentinelRetryStrategy: options.retryStrategy,
    sentinelReconnectStrategy: options.retryStrategy,
    sentinelCommandTimeout: SKIP_MS,
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  });
}

/**
 * Asks the Sentinels for the master without the subscription of the last connection. ioredis would
 * close the client for good if that subscription told of the failover before the Sentinels answered
 * (redis/ioredis#1683).
 */
class MasterConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...args: Parameters<SentinelConnector['connect']>) {
    const subscription = this['failoverDetector'] as { cleanup(): void } | null;
    subscription?.cleanup();
    return super.connect(...args);
  }
}

function openCluster(
  { tls, hosts, username, password }: RedisAddress,
  { retryStrategy, enableOfflineQueue = true, lazyConnect = false, ...options }: Options,
): Cluster {
  return new Cluster(hosts, {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: SKIP_MS,
    redisOptions: {
      connectTimeout: SKIP_MS,
      ...options,
      ...given({ username, password }),
      ...(tls && { tls: {} }),
    },
    // A certificate names the host, and not the address that it resolves to.
    ...(tls && { dnsLookup: (host, resolved) => resolved(null, host) }),
  });
}

/** Without what is undefined, which ioredis takes for a value. */
function given(settings: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
