import type { Db } from '../db/database';
import { isDatabaseUnavailable } from '../db/errors';
import { query } from '../db/query';
import { type GrowingTable, REFUSAL_TABLES } from '../db/retention';
import { Loop } from '../loop';
import type { Database } from '../db/database';
import type { Logger } from '../logger';
import type { Clock } from '@fiado/contracts/clock';
import type { Refusal } from './refusal';

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
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
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

/** Refusals of one wholesaler that are stored in a day; those beyond are only counted. */
export const STORED_PER_DAY = 1_000;

/** Refusals of all wholesalers that wait in the process, some 5 MB; those beyond are only counted. */
const MAX_WAITING = 10_000;

/** Refusals of one wholesaler on one day that wait to be stored. */
export interface WaitingRefusals {
  wholesalerId: string;
  /** UTC, such as 2026-11-23. */
  day: string;
  /** All of them, also those without a row. */
  count: number;
  rows: Refusal[];
}

/**
 * Refusals on their way to the database, bounded for each wholesaler and in all: a wholesaler that
 * has used up its day no longer takes room. What waits is lost when the process is killed.
 */
class RefusalBuffer {
  private readonly waiting = new Map<string, WaitingRefusals>();
  private waitingRows = 0;
  /** Wholesalers whose day is used up, by their keys in `waiting`. */
  private usedUp = new Set<string>();

  add(refusal: Refusal): void {
    const day = refusal.refusedAt.toISOString().slice(0, 'YYYY-MM-DD'.length);
    this.merge({ wholesalerId: refusal.wholesalerId, day, count: 1, rows: [refusal] });
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Takes whole wholesalers out, the longest waiting first, until there are that many rows. */
  take(rows: number): WaitingRefusals[] {
    const taken: WaitingRefusals[] = [];
    let takenRows = 0;
    for (const [key, one] of this.waiting) {
      if (takenRows >= rows) break;
      this.waiting.delete(key);
      taken.push(one);
      takenRows += one.rows.length;
    }
    this.waitingRows -= takenRows;
    return taken;
  }

  /** Takes back what could not be stored. */
  giveBack(taken: WaitingRefusals[]): void {
    for (const one of taken) this.merge(one);
  }

  /** Stops taking rows of a wholesaler for that day. */
  useUp({ wholesalerId, day }: Pick<WaitingRefusals, 'wholesalerId' | 'day'>): void {
    // Earlier days are forgotten: no more refusals come for them.
    this.usedUp = new Set([...this.usedUp].filter((key) => key.startsWith(day)));
    this.usedUp.add(keyOf(wholesalerId, day));
  }

  private merge({ wholesalerId, day, count, rows }: WaitingRefusals): void {
    const key = keyOf(wholesalerId, day);
    const waiting = this.waiting.get(key) ?? { wholesalerId, day, count: 0, rows: [] };
    const room = this.usedUp.has(key)
      ? 0
      : Math.min(STORED_PER_DAY - waiting.rows.length, MAX_WAITING - this.waitingRows);
    const kept = rows.slice(0, Math.max(room, 0));
    waiting.count += count;
    waiting.rows.push(...kept);
    this.waitingRows += kept.length;
    this.waiting.set(key, waiting);
  }
}

function keyOf(wholesalerId: string, day: string): string {
  return `${day} ${wholesalerId}`;
}

/**
 * Counts refusals, and stores those that are among the first STORED_PER_DAY of their wholesaler's
 * day, in one statement. The rows of the counts are locked in one order, so that several instances
 * do not deadlock.
 * @param cornerStoreOf SQL of the corner store that a row `given` concerns: a customer of its
 *   wholesaler, or null. A wholesaler must not write into the timeline of another's store
 * @returns the wholesalers whose day is used up
 */
async function storeRefusals(
  db: Db,
  waiting: WaitingRefusals[],
  cornerStoreOf: string,
): Promise<Pick<WaitingRefusals, 'wholesalerId' | 'day'>[]> {
  return query<Pick<WaitingRefusals, 'wholesalerId' | 'day'>>(
    db,
    `WITH waiting AS (
       SELECT "wholesalerId" AS wholesaler_id, day, count, rows
         FROM jsonb_to_recordset($1::jsonb)
           AS one("wholesalerId" uuid, day date, count bigint, rows jsonb)
     ), counted AS (
       INSERT INTO refusal_counts (wholesaler_id, day, refused)
       SELECT wholesaler_id, day, count FROM waiting ORDER BY wholesaler_id, day
       ON CONFLICT (wholesaler_id, day) DO UPDATE
         SET refused = refusal_counts.refused + excluded.refused
       RETURNING wholesaler_id, day, refused
     ), stored AS (
       INSERT INTO refusals
         (id, refused_at, wholesaler_id, corner_store_id, operation, error_code, request_id, ids)
       SELECT id, "refusedAt", wholesaler_id, ${cornerStoreOf}, operation, "errorCode", "requestId", ids
         FROM (SELECT one.*, wholesaler_id,
                      counted.refused - waiting.count
                        + row_number() OVER (PARTITION BY wholesaler_id, day ORDER BY "refusedAt", id)
                        AS number,
                      (ids ->> 'cornerStoreId')::uuid AS named_store,
                      (ids ->> 'userId')::uuid AS named_user,
                      (ids ->> 'transactionId')::uuid AS named_transaction,
                      ids ->> 'externalId' AS external_id
                 FROM waiting JOIN counted USING (wholesaler_id, day)
                CROSS JOIN jsonb_to_recordset(rows) AS one(
                        id uuid, "refusedAt" timestamptz, operation text, "errorCode" text,
                        "requestId" text, ids jsonb)) given
        WHERE number <= $2
       ON CONFLICT (id) DO NOTHING
     )
     SELECT wholesaler_id, to_char(day, 'YYYY-MM-DD') AS day FROM counted WHERE refused >= $2`,
    [JSON.stringify(waiting), STORED_PER_DAY],
  );
}
