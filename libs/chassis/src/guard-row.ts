import { isDatabaseUnavailable } from './db/query';
import type { Logger } from './logger';
import { countFailedRow } from './metrics';

/** The log line of a row that fails in a loop; the runbook searches for it. */
export const ROW_FAILED = 'row failed; the loop continues without it';

/**
 * Processes one row of a loop. A row that fails is counted and logged, and the loop continues: one
 * bad row must not stop the others.
 * @param row what identifies it in the log
 * @returns whether it succeeded
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
    log.error({ err: error, loop, ...row }, ROW_FAILED);
    return false;
  }
}
