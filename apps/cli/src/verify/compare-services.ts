import { setTimeout as pause } from 'node:timers/promises';
import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/shared/contracts/invariants';
import type { Resources } from '../generated/resources';
import { CROSS_CHECKS } from './checks';
import {
  FROM_THE_START,
  readCornerStoreSums,
  type CornerStoreSums,
  type Cursors,
} from './corner-store-sums';

/**
 * The most differing stores that are read again, which bounds memory; more than that count as
 * differences.
 */
const MAX_SUSPECTS = 10_000;
/** Time between two questions about what differs: an event takes some tenths of a second. */
const ASK_AGAIN_MS = 500;

export interface Comparison {
  cornerStores: number;
  checks: InvariantCheck[];
}

/** Stores that differ, by check, with their last values. */
interface Suspect {
  cornerStoreId: string;
  cursors: Cursors;
  differences: Map<string, object>;
}

/**
 * Compares the values of the services for each corner store. Events may be in transit, and the
 * services are not read at the same moment, so a difference counts only if every comparison shows
 * it until the settle time is over.
 */
export async function compareServices(ops: Resources, settleMs: number): Promise<Comparison> {
  const lasting = new Lasting();
  let suspects: Suspect[] = [];
  let cornerStores = 0;

  for await (const { sums, cursors } of readCornerStoreSums(ops, FROM_THE_START)) {
    cornerStores += 1;
    const suspect = {
      cornerStoreId: sums.cornerStoreId,
      cursors,
      differences: differencesIn(sums),
    };
    if (suspect.differences.size === 0) continue;
    if (suspects.length < MAX_SUSPECTS) suspects.push(suspect);
    else lasting.add(suspect);
  }

  const settledAt = Date.now() + settleMs;
  while (suspects.length > 0 && Date.now() < settledAt) {
    await pause(Math.min(ASK_AGAIN_MS, settledAt - Date.now()));
    suspects = await stillDiffering(ops, suspects);
  }
  for (const suspect of suspects) lasting.add(suspect);
  return { cornerStores, checks: lasting.checks() };
}

function differencesIn(sums: CornerStoreSums): Map<string, object> {
  const found = CROSS_CHECKS.map(({ name, differenceIn }) => [name, differenceIn(sums)] as const);
  return new Map(found.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));
}

/** Reads the pages of these stores again, those of one place together. */
async function stillDiffering(ops: Resources, suspects: Suspect[]): Promise<Suspect[]> {
  const places = new Map<string, Map<string, Suspect>>();
  for (const suspect of suspects) {
    const place = JSON.stringify(suspect.cursors);
    const there = places.get(place) ?? new Map<string, Suspect>();
    places.set(place, there.set(suspect.cornerStoreId, suspect));
  }

  const still: Suspect[] = [];
  for (const there of places.values()) {
    const [first] = there.values();
    const last = [...there.keys()].at(-1) ?? '';
    for await (const { sums } of readCornerStoreSums(ops, first?.cursors ?? FROM_THE_START)) {
      if (sums.cornerStoreId > last) break;
      const suspect = there.get(sums.cornerStoreId);
      if (suspect === undefined) continue;
      const differences = inBoth(suspect.differences, differencesIn(sums));
      if (differences.size > 0) still.push({ ...suspect, differences });
    }
  }
  return still;
}

/** A check that held once is not violated, because corrupt totals do not agree by chance. */
function inBoth(before: Map<string, object>, now: Map<string, object>): Map<string, object> {
  return new Map([...now].filter(([name]) => before.has(name)));
}

/** Collects the differences that last, by check: the first few in full, all by their number. */
class Lasting {
  private readonly violations = new Map<string, object[]>();

  add({ cornerStoreId, differences }: Suspect): void {
    for (const [name, difference] of differences) {
      const rows = this.violations.get(name) ?? [];
      if (rows.length < MAX_VIOLATIONS) rows.push({ cornerStoreId, ...difference });
      this.violations.set(name, rows);
    }
  }

  checks(): InvariantCheck[] {
    return CROSS_CHECKS.map(({ name }) => {
      const violations = this.violations.get(name) ?? [];
      return { name, holds: violations.length === 0, violations };
    });
  }
}
