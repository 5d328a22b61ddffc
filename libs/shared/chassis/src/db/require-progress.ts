import { Client, type Pool } from 'pg';
import { stuckWork } from '../progress';

/**
 * How long a fresh connection and its statement may take, in milliseconds: together less than the
 * second that a health check has.
 */
const FRESH_TIMEOUT_MS = 400;

/**
 * Check of readiness: this process gets its work done, or no other instance would do better either.
 * @param startedMs when the service started, by the monotonic clock
 * @throws Error if lanes or the pool have ended nothing for 15 s although work is there, while a statement on
 *   a fresh connection succeeds; never because the database is unavailable to everybody
 */
export async function requireProgress(pool: Pool, startedMs: number): Promise<void> {
  const stuck = stuckWork(startedMs);
  if (stuck.length > 0 && (await answersAnew(pool))) {
    throw new Error(`Nothing ends in ${stuck.join(', ')}`);
  }
}

async function answersAnew({ options }: Pool): Promise<boolean> {
  const client = new Client({
    ...options,
    connectionTimeoutMillis: FRESH_TIMEOUT_MS,
    query_timeout: FRESH_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    // A connection that hangs must not keep the check waiting.
    void client.end().catch(() => {});
  }
}
