import { randomInt } from 'node:crypto';
import { openSystem, type System } from './system/system';
import { runHistories } from './run-histories';

const SEEDS = 2 ** 31;
/** So many that `npm test` can afford them. */
const HISTORIES = 20;
/** An hour, for those who ask for many histories. */
const TIMEOUT_MS = 3_600_000;

const {
  SIMULATION_SEED = randomInt(SEEDS),
  SIMULATION_HISTORIES = HISTORIES,
  SIMULATION_FIRST = 0,
  SIMULATION_REPLAY,
  SIMULATION_SHRINK,
} = process.env;

/** Histories of a seed in turn, or single ones: SIMULATION_REPLAY=1/19,1/37 is two of seed 1. */
const RUNS = SIMULATION_REPLAY?.split(',').map((history) => {
  const [seed = 0, first = 0] = history.split('/').map(Number);
  return { seed, first, histories: 1 };
}) ?? [
  {
    seed: Number(SIMULATION_SEED),
    first: Number(SIMULATION_FIRST),
    histories: Number(SIMULATION_HISTORIES),
  },
];

let system: System;
beforeAll(async () => {
  system = await openSystem();
}, 60_000);
afterAll(() => system.close());

it.each(RUNS)(
  '$histories histories of seed $seed, from the one of number $first, go as the rules of the business say',
  async (histories) => {
    const { failure, seen } = await runHistories(system, {
      ...histories,
      shrinks: SIMULATION_SHRINK !== 'no',
    });
    const counts = JSON.stringify(Object.fromEntries(seen));
    process.stdout.write(`simulation: seed ${histories.seed}, ${counts}\n`);
    if (failure !== undefined) throw new Error(failure);
  },
  TIMEOUT_MS,
);
