import type { Refusal } from './refusal';

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
export class RefusalBuffer {
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

  /** Stops to take rows of a wholesaler for that day. */
  useUp({ wholesalerId, day }: Pick<WaitingRefusals, 'wholesalerId' | 'day'>): void {
    // Days that are over are of no use: their refusals no longer come.
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
