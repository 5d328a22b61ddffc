import type { Measured } from './load';

/** Something that is measured in rounds. */
export interface Subject {
  name: string;
  round: (seconds: number) => Promise<Measured>;
  /** Waits until the work that a round left behind is done. */
  settle?: () => Promise<void>;
  /** Discarded rounds, where less is enough than for a service that compiles its code. */
  warmUps?: number;
}

export interface Turns {
  rounds: number;
  seconds: number;
  /**
   * Discarded rounds of each subject. A service runs for weeks, and its code is compiled well after
   * some thousand requests of a kind: after one round of a second, createTransaction went half as
   * fast as after four of two.
   */
  warmUps: number;
  say: (line: string) => void;
}

/** Every round of every subject, by its name. */
export type Rounds = Map<string, Measured[]>;

/**
 * Measures subjects in turn, A B C A B C: what else the machine does meanwhile meets them all
 * alike. Every second turn goes backwards, so that none always follows the same one.
 */
export async function alternate(
  subjects: Subject[],
  { rounds, seconds, warmUps, say }: Turns,
): Promise<Rounds> {
  for (const subject of subjects) {
    for (let round = 0; round < (subject.warmUps ?? warmUps); round += 1) {
      await subject.round(seconds);
      await subject.settle?.();
    }
  }
  const all: Rounds = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const measured = await subject.round(seconds);
      await subject.settle?.();
      all.get(subject.name)?.push(measured);
      say(
        `  ${round + 1}/${rounds}  ${subject.name.padEnd(34)} ${measured.perSecond.toFixed(0)}/s`,
      );
    }
  }
  return all;
}

/** The middle of the rounds of a subject. */
export function rateOf(rounds: Rounds, name: string): number {
  return median((rounds.get(name) ?? []).map(({ perSecond }) => perSecond));
}

/** How a subject's rate compares to another's: the middle of what each pair of rounds says. */
export function ratioOf(rounds: Rounds, name: string, base: string): number {
  const bases = rounds.get(base) ?? [];
  const own = rounds.get(name) ?? [];
  return median(own.map(({ perSecond }, at) => perSecond / (bases[at]?.perSecond ?? Number.NaN)));
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
