import type { Options } from '../options';
import type { Cleanup } from './cleanup';
import type { BenchDatabase } from './database';
import type { Secrets } from './system';
import type { Market } from './market';
import type { TwilioStandIn } from './twilio';

/** What a run is given. */
export interface Ground {
  options: Options;
  /** Temporary files of the run. */
  folder: string;
  cleanup: Cleanup;
  say: (line: string) => void;
}

/** What a run makes itself: databases that are filled, and whom the load trades for. */
export interface World extends Ground {
  db: BenchDatabase;
  twilio: TwilioStandIn;
  secrets: Secrets;
  market: Market;
}

/** One figure of the table, and what it has to keep to. */
export interface Finding {
  what: string;
  value: number;
  unit: string;
  /** The least or the most that it may be. */
  target?: { least: number } | { most: number };
}

/** What a phase found; `rounds` is kept in the results for readers who doubt the median. */
export interface PhaseResult {
  phase: string;
  findings: Finding[];
  rounds: Record<string, unknown>;
}

export function keeps({ value, target }: Finding): boolean | undefined {
  if (target === undefined) return undefined;
  return 'least' in target ? value >= target.least : value <= target.most;
}
