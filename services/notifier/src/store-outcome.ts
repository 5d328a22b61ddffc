import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@fiado/chassis/logger';

/** Pause before an outcome is stored again that the database did not take. */
const STORE_AGAIN_MS = 1_000;

/**
 * Stores the outcome of a claimed row, repeatedly while the database is unavailable: no other process settles the row
 * before its claim ends.
 * @param row what the log says of it
 * @param endsMs when the claim ends, by the monotonic clock
 * @throws Error of the last try
 */
export async function storeOutcome<Stored>(
  store: () => Promise<Stored>,
  { log, monotonicMs }: { log: Logger; monotonicMs: () => number },
  { endsMs, ...row }: { endsMs: number } & Record<string, unknown>,
): Promise<Stored> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (monotonicMs() + STORE_AGAIN_MS > endsMs) throw error;
      log.warn({ err: error, ...row }, 'outcome could not be stored; retrying');
      await sleep(STORE_AGAIN_MS);
    }
  }
}
