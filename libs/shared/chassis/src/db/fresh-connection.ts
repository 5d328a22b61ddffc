import { Client, type Pool } from 'pg';

/**
 * How long a fresh connection and each of its statements may take, in milliseconds: one of each takes less than
 * the second that a health check has.
 */
const FRESH_TIMEOUT_MS = 400;

/**
 * Runs work on a new connection to the server of a pool. Checks of the server use it, because they must not wait
 * for connections that this process holds.
 * @throws Error of the work, or when the server does not answer in time
 */
export async function onFreshConnection<Result>(
  { options }: Pool,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    ...options,
    connectionTimeoutMillis: FRESH_TIMEOUT_MS,
    query_timeout: FRESH_TIMEOUT_MS,
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
