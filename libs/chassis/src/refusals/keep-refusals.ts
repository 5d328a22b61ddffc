import { isDatabaseUnavailable } from '../db/unavailable';
import { Loop } from '../loop';
import { REFUSAL_TABLES, type GrowingTable } from '../retention';
import type { Foundation } from '../service';
import type { Refusal } from './refusal';
import { RefusalBuffer } from './refusal-buffer';
import { storeRefusals } from './store-refusals';

/** How often refusals are stored. A person who looks for one has waited longer for the call. */
const STORE_EVERY_MS = 1_000;
/** Rows of one statement; its last wholesaler may add up to a day's. */
const BATCH_ROWS = 500;

interface KeptRefusals {
  /** Takes a refusal in; undefined where none are kept. */
  add: ((refusal: Omit<Refusal, 'refusedAt'>) => void) | undefined;
  loops: Loop[];
  tables: GrowingTable[];
  /** Stores what waits, at the end of the process. Failures are logged only. */
  storeRest: () => Promise<void>;
}

/**
 * Keeps refusals in the service's schema: a buffer, and the loop that stores it outside of requests.
 * @param cornerStoreOf see storeRefusals; undefined for a service that keeps none
 */
export function keepRefusals(
  { db, clock, log }: Pick<Foundation, 'db' | 'clock' | 'log'>,
  cornerStoreOf: string | undefined,
): KeptRefusals {
  if (cornerStoreOf === undefined) {
    return { add: undefined, loops: [], tables: [], storeRest: async () => {} };
  }
  const buffer = new RefusalBuffer();
  const storeBatch = async (): Promise<boolean> => {
    const taken = buffer.take(BATCH_ROWS);
    if (taken.length === 0) return false;
    try {
      for (const usedUp of await storeRefusals(db, taken, cornerStoreOf)) buffer.useUp(usedUp);
    } catch (error) {
      // Rows that the database refuses would be refused again, and hold up all others.
      if (isDatabaseUnavailable(error)) buffer.giveBack(taken);
      throw error;
    }
    return !buffer.isEmpty;
  };
  return {
    add: (refusal) => buffer.add({ ...refusal, refusedAt: clock.now() }),
    loops: [new Loop(log, { name: 'refusals', everyMs: STORE_EVERY_MS, round: storeBatch })],
    tables: REFUSAL_TABLES,
    storeRest: async () => {
      try {
        while (await storeBatch()) continue;
      } catch (error) {
        log.warn({ err: error }, 'the last refusals are not stored');
      }
    },
  };
}
