import { Client, type Pool } from 'pg';
import { TIMING } from '../timing';

/**
 * How long a fresh connection and each of its statements may take, as a part of the time that the pool waits for a
 * connection: 400 ms of 2 s, so that one of each takes less than the second that a health check has.
 */
const FRESH_PART = 0.2;

/**
 * Runs work on a new connection to the server of a pool. Checks of the server use it, because they must not wait
 * for connections that this process holds.
 * @throws Error of the work, or when the server does not answer in time
 */
export async function onFreshConnection<Result>(
  { options }: Pool,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const limitMs = (options.connectionTimeoutMillis ?? TIMING.connect) * FRESH_PART;
  const client = new Client({
    ...options,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    // A connection that hangs must not keep the check waiting.
    void client.end().catch(() => {});
  }
}
