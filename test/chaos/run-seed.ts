import { runUnderLoad, type Verdict } from './run-under-load';
import { inflict } from './support/inflict';
import { scheduleOf, type Backend } from './support/schedule';

export interface SeedOptions {
  seed: number;
  backend: Backend;
  /** How long work and faults go on. */
  seconds: number;
}

/** One chaos run: the seed's faults while its clients work, and then the checks. */
export function runSeed(options: SeedOptions): Promise<Verdict> {
  const schedule = scheduleOf(options.seed, options);
  return runUnderLoad({
    ...options,
    name: String(options.seed),
    disturb: ({ deployment }) => inflict(deployment, schedule),
  });
}
