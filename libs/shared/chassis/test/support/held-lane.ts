import { Lane, type LaneOptions } from '../../src/lanes/lane';

/** An item of a lane under test. */
export interface Item {
  id: number;
  tenant: string;
  keys?: string[];
}

/** Lets the lane see the end of a batch, and send the next. */
export async function turn(): Promise<void> {
  for (let at = 0; at < 2; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * A lane whose batches end when the test lets them, and the ids of the batches so far. Its clock does not advance, so that
 * no batch is slow on a busy machine.
 */
export function laneOf(options: Partial<LaneOptions<Item, number>> = {}) {
  const batches: number[][] = [];
  const ends: Array<() => void> = [];
  const lane = new Lane<Item, number>({
    name: 'test',
    tenantOf: ({ tenant }) => tenant,
    keysOf: ({ keys = [] }) => keys,
    now: () => 0,
    ...options,
    run: async (items) => {
      batches.push(items.map(({ id }) => id));
      await new Promise<void>((resolve) => ends.push(resolve));
      return (await options.run?.(items)) ?? items.map(({ id }) => id);
    },
  });
  return {
    lane,
    batches,
    /** Ends the oldest batch in flight, and lets what follows from it happen. */
    endBatch: async () => {
      ends.shift()?.();
      await turn();
    },
  };
}

/** Items of a tenant with ids from `from` on. */
export function itemsOf(tenant: string, from: number, count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({ id: from + at, tenant }));
}

/** An error that Postgres answers with this SQLSTATE. */
export const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });
