import { once } from 'node:events';

/** A Redis that has not answered in this time, in milliseconds, is treated as unavailable. */
const TIMEOUT_MS = 5_000;

/**
 * Connects to a Redis as the queues do, with its user, password, database and TLS, once.
 * @throws Error the reason why it cannot be used
 */
export async function pingRedis(url: string): Promise<void> {
  // The supervisor has no other use for it, and usually no Redis.
  const { openRedis } = await import('./open-redis.js');
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
