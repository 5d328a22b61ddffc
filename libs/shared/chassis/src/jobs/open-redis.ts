import { once } from 'node:events';
import {
  Cluster,
  type ClusterOptions,
  Redis,
  type RedisOptions,
  type SentinelConnectionOptions,
  SentinelConnector,
} from 'ioredis';
import type { Logger } from '../logger';
import { createGauge, type Reading } from '../metrics';
import { REDIS_FORMS, type RedisAddress, redisAddressOf } from './redis-address';

/** A Redis that has not answered pingRedis in this time, in milliseconds, is treated as unavailable. */
const TIMEOUT_MS = 5_000;

/**
 * A Sentinel or a node of a Cluster that does not answer for so long is skipped, in milliseconds.
 * The default of 10 s would be most of a failover.
 */
const SKIP_MS = 2_000;

/**
 * A connection that Redis owes an answer and that has brought nothing for so long, in milliseconds, is opened again,
 * and its commands are sent again. Packets that are dropped without a word would otherwise keep it for a quarter of
 * an hour.
 */
export const SILENCE_MS = 4_000;

/** The same for a connection that waits for a job: BullMQ lets Redis wait for 10 s at most, and ends a late wait after 11. */
const BLOCKED_SILENCE_MS = 12_000;

/** A connection that owes nothing is probed after this time, in milliseconds, and ends 10 s later if nobody answers. */
const KEEP_ALIVE_MS = 5_000;

/** A client of one server, of the master that Sentinels name, or of a Cluster. */
type RedisClient = Redis | Cluster;

interface Options extends Pick<
  RedisOptions,
  | 'maxRetriesPerRequest'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'connectTimeout'
  | 'commandTimeout'
  | 'socketTimeout'
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
  if (address.form === 'server') return new Redis(url, { keepAlive: KEEP_ALIVE_MS, ...options });
  return address.form === 'sentinel' ? openMaster(address, options) : openCluster(address, options);
}

/** Follows the master: a failover ends the connection, even one to a master that hangs. */
function openMaster(
  { tls, hosts, master, db, sentinelLogin, ...login }: RedisAddress & { form: 'sentinel' },
  options: Options,
): Redis {
  return new Redis({
    connectTimeout: SKIP_MS,
    keepAlive: KEEP_ALIVE_MS,
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
 * close the client for good if that subscription reported the failover before the Sentinels answered
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
      keepAlive: KEEP_ALIVE_MS,
      ...options,
      ...given({ username, password }),
      ...(tls && { tls: {} }),
    },
    // A certificate names the host, and not the address that it resolves to.
    ...(tls && { dnsLookup: (host, resolved) => resolved(null, host) }),
  });
}

/**
 * Lets the duplicates of a client wait for jobs: BullMQ makes the connection on which a worker waits by duplicating
 * the worker's own.
 */
export function letDuplicatesBlock(client: RedisClient): RedisClient {
  const blocking = { socketTimeout: BLOCKED_SILENCE_MS };
  if (client.isCluster) {
    const cluster = client as Cluster;
    const duplicate = cluster.duplicate.bind(cluster);
    cluster.duplicate = (nodes, options: ClusterOptions = {}) =>
      duplicate(nodes, { ...options, redisOptions: { ...options.redisOptions, ...blocking } });
  } else {
    const server = client as Redis;
    const duplicate = server.duplicate.bind(server);
    server.duplicate = (options) => duplicate({ ...options, ...blocking });
  }
  return client;
}

/** Without what is undefined, which ioredis takes for a value. */
function given(settings: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/**
 * Connects to a Redis as the queues do, with its user, password, database and TLS, once.
 * @throws Error the reason why it cannot be used
 */
export async function pingRedis(url: string): Promise<void> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The event carries the cause of a failed connection; connect() only reports that it was closed.
  let cause: unknown;
  redis.on('error', (error) => (cause ??= error.lastNodeError ?? error));
  try {
    await Promise.race([
      redis.connect().then(() => redis.ping()),
      // A Cluster that is incomplete ends, and its connect() stays open for ever.
      once(redis, 'end').then(() => {
        throw new Error('The connection was closed, or the Cluster is incomplete');
      }),
    ]);
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}

/** The `maxmemory-policy` of a Redis that refuses writes when it is full, and deletes no key. */
const EVICTS_NOTHING = 'noeviction';

/** The policy of a Redis that does not report it, such as some managed ones. */
const UNKNOWN = 'unknown';

const evicts = createGauge(
  'fiado_redis_evicts',
  'Whether the Redis of the queues deletes keys when it is full: 1 or 0; -1 if it does not tell its policy',
  [],
);

/**
 * The policy of all nodes, from their answers to INFO: another one than noeviction if a node has one,
 * and unknown if a node does not tell its own.
 */
export function evictionPolicyIn(infos: string[]): string {
  const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? UNKNOWN);
  const wrong = policies.filter((policy) => policy !== EVICTS_NOTHING);
  return wrong.find((policy) => policy !== UNKNOWN) ?? wrong[0] ?? policies[0] ?? UNKNOWN;
}

/** The gauge of a policy; undefined is that of queues in Postgres. */
export function policyReading(policy: string | undefined): Reading {
  if (policy === UNKNOWN) return evicts({}, -1);
  return evicts({}, policy === undefined || policy === EVICTS_NOTHING ? 0 : 1);
}

/**
 * Refuses a production start on a Redis that deletes keys when it is full: parts of a queue would
 * be gone, and jobs with them until the sweeper misses them. Warns in a sandbox, and where the
 * policy cannot be read. A Redis that is unavailable does not hold up the start.
 * @throws Error in production when the policy is another one than noeviction
 */
export async function requireNoEviction(
  queues: { evictionPolicy(): Promise<string | undefined> },
  { FIADO_MODE }: { FIADO_MODE: 'sandbox' | 'production' },
  log: Logger,
): Promise<void> {
  const policy = await queues.evictionPolicy().catch(() => UNKNOWN);
  if (policy === undefined || policy === EVICTS_NOTHING) return;
  if (policy === UNKNOWN) {
    log.warn('the maxmemory-policy of Redis cannot be read; it must be noeviction');
    return;
  }
  const problem = `Redis has the maxmemory-policy ${policy}, which loses jobs: set it to ${EVICTS_NOTHING}`;
  if (FIADO_MODE === 'production') throw new Error(problem);
  log.warn(problem);
}
