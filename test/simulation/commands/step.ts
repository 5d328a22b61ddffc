import * as fc from 'fast-check';
import { perform, performTogether, type Action, type History } from '../history';

/** A kind of step. What it is about is picked from the history only when it is taken. */
export interface Step<Picks> {
  picks: fc.Arbitrary<Picks>;
  /** @returns undefined where there is nothing to do it with */
  plan: (history: History, picks: Picks) => Action | undefined;
}

/** A step with its picks drawn. */
export type DrawnStep = (history: History) => Action | undefined;

/** What fast-check runs: it also leaves these out, one by one, to shrink a history. */
export type Command = fc.AsyncCommand<History, History>;

/** A position in a list that is only known later. */
export const position = fc.nat(997);

export function at<Item>(list: Item[], picked: number): Item | undefined {
  return list[picked % list.length];
}

export function draw<Picks>({ picks, plan }: Step<Picks>): fc.Arbitrary<DrawnStep> {
  return picks.map((picked) => (history: History) => plan(history, picked));
}

export function alone(step: fc.Arbitrary<DrawnStep>): fc.Arbitrary<Command> {
  return step.map((plan) => ({
    check: (history) => plan(history) !== undefined,
    run: async (history) => {
      const action = plan(history);
      if (action !== undefined) await perform(history, action);
    },
    toString: () => 'step',
  }));
}

/** Two steps at the same time. */
export function together(pair: fc.Arbitrary<[DrawnStep, DrawnStep]>): fc.Arbitrary<Command> {
  return pair.map(([one, other]) => ({
    check: (history) => one(history) !== undefined && other(history) !== undefined,
    run: async (history) => {
      const [a, b] = [one(history), other(history)];
      if (a !== undefined && b !== undefined) await performTogether(history, [a, b]);
    },
    toString: () => 'two steps together',
  }));
}
