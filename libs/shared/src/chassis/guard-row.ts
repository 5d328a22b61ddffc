import { isDatabaseUnavailable } from './db/unavailable';
import type { Logger } from './logger';
import { countFailedRow } from './metrics';

/**
 * Works on one row of a loop's round. A row that fails is counted and logged, and the round goes
 * on: one bad row must not stop a loop for all the others.
 * @param row what identifies it in the log
 * @returns whether it went well
 * @throws when the database is unavailable: no other row would fare better
 */
export async function guardRow(
  loop: string,
  { log, ...row }: { log: Logger } & Record<string, unknown>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    countFailedRow(loop);
    log.error({ err: error, loop, ...row }, 'row failed; the loop continues without it');
    return false;
  }
}
