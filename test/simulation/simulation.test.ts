import { randomInt } from 'node:crypto';
import { openSystem, type System } from './system/system';
import { runHistories } from './run-histories';

const SEEDS = 2 ** 31;
/** So many that `npm test` can afford them. */
const HISTORIES = 30;
/** An hour, for those who ask for many histories. */
const TIMEOUT_MS = 3_600_000;

const { SIMULATION_SEED, SIMULATION_HISTORIES, SIMULATION_FIRST, SIMULATION_SHRINK } = process.env;
const seed = Number(SIMULATION_SEED ?? randomInt(SEEDS));
const histories = Number(SIMULATION_HISTORIES ?? HISTORIES);
const first = Number(SIMULATION_FIRST ?? 0);

let system: System;
beforeAll(async () => {
  system = await openSystem();
}, 60_000);
afterAll(() => system.close());

it(
  `${histories} histories from seed ${seed} go as the rules of the business say`,
  async () => {
    const options = { seed, histories, first, shrinks: SIMULATION_SHRINK !== 'no' };
    const { failure, seen } = await runHistories(system, options);
    process.stdout.write(`simulation: seed ${seed}, ${JSON.stringify(Object.fromEntries(seen))}\n`);
    if (failure !== undefined) throw new Error(failure);
  },
  TIMEOUT_MS,
);
