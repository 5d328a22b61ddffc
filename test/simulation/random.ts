/** Everything that chance decides in a history comes from here, so that its seed replays it. */
export interface Random {
  /** An integer, 0 ≤ n < limit. */
  below(limit: number): number;
  /** An integer, from ≤ n ≤ to. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: 32 bits of state are plenty for histories of some hundred draws. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from');
      return items[below(items.length)]!;
    },
  };
}

/** Ids that grow, so that whatever orders by id orders by age. */
export function createIds(): () => string {
  let count = 0;
  return () => `${(++count).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}
