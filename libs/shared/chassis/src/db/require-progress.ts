import type { Pool } from 'pg';
import { stuckWork } from '../progress';
import { onFreshConnection } from './fresh-connection';

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

function answersAnew(pool: Pool): Promise<boolean> {
  return onFreshConnection(pool, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}
