import * as fc from 'fast-check';
import { begin } from './begin';
import { compareBooks } from './books';
import { anyCommand } from './commands/all';
import { deliverAll } from './commands/messages';
import { brokenChecks } from './verify/broken-checks';
import { compareAtRest } from './compare';
import type { History } from './history';
import type { System } from './system/system';
import { anyWorld } from './world';

/** Commands of the longest history; some of them find nothing to do. */
const MAX_COMMANDS = 80;
/** A failing history is taken again and again with fewer commands, and no longer than this. */
const SHRINK_MS = 120_000;

export interface Options {
  seed: number;
  histories: number;
  /** The number of the first history: a failure prints its own. */
  first: number;
  /** Whether a failing history is made shorter before it is printed. */
  shrinks: boolean;
}

export interface Result {
  /** What to print of the first history that failed; undefined when none did. */
  failure: string | undefined;
  /** What the histories came through, so that a simulation in which nothing happens is seen. */
  seen: Map<string, number>;
}

/** Draws histories from a seed and takes each on the product and on the model. */
export async function runHistories(
  system: System,
  { seed, histories, first, shrinks }: Options,
): Promise<Result> {
  const seen = new Map<string, number>();
  const failed: { log: string[]; number: number; shrinksUntil: number } = {
    log: [],
    number: first,
    shrinksUntil: Infinity,
  };
  let started = 0;
  let isShrinking = false;

  const property = fc.asyncProperty(
    anyWorld,
    fc.commands([anyCommand], { maxCommands: MAX_COMMANDS, size: 'max' }),
    async (world, commands) => {
      fc.pre(Date.now() < failed.shrinksUntil);
      if (!isShrinking) started += 1;
      const history = await begin(system, world);
      try {
        await fc.asyncModelRun(() => ({ model: history, real: history }), commands);
        await deliverAll(history);
        compareAtRest(history.model);
        await compareBooks(history);
        await requireNoViolation(system);
      } catch (error) {
        if (!isShrinking) {
          Object.assign(failed, {
            number: first + started - 1,
            shrinksUntil: Date.now() + SHRINK_MS,
          });
        }
        isShrinking = true;
        failed.log = history.log;
        throw error;
      }
      if (!isShrinking) count(seen, history);
    },
  );
  const run = await fc.check(property, {
    seed,
    numRuns: histories,
    path: String(first),
    endOnFailure: !shrinks,
  });
  if (!run.failed) return { failure: undefined, seen };
  return { failure: report({ seed, ...failed, error: run.errorInstance }), seen };
}

/** What a loop does in time: histories let time pass without it. */
const LATE = /after its expiry|hours overdue|older than/;

/** What `fiado verify` checks holds after any history. */
async function requireNoViolation(system: System): Promise<void> {
  const broken = (await brokenChecks(system)).filter(({ name }) => !LATE.test(name));
  if (broken.length > 0) throw new Error(`verify: ${JSON.stringify(broken)}`);
}

function report({
  seed,
  number,
  log,
  error,
}: {
  seed: number;
  number: number;
  log: string[];
  error: unknown;
}): string {
  return [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    `failed: seed ${seed}, history ${number}`,
    `replay: SIMULATION_REPLAY=${seed}/${number} npm run test:simulation`,
    ...log.map((step, index) => `${String(index + 1).padStart(4)}  ${step}`),
  ].join('\n');
}

function count(seen: Map<string, number>, { state, log }: History): void {
  const what = [
    'histories',
    ...state.orders.map(({ status }) => `order ${status}`),
    ...state.deposits.map(({ status }) => `deposit ${status}`),
  ];
  for (const one of what) seen.set(one, (seen.get(one) ?? 0) + 1);
  seen.set('steps', (seen.get('steps') ?? 0) + log.length);
}
