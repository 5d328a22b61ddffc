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

/** The data of a run: filled databases, and the wholesalers and stores of the load. */
export interface World extends Ground {
  db: BenchDatabase;
  twilio: TwilioStandIn;
  secrets: Secrets;
  market: Market;
}

/** One figure of the table, and its target. */
export interface Finding {
  what: string;
  value: number;
  unit: string;
  /** The least or the most that it may be. */
  target?: { least: number } | { most: number };
}

/** The result of a phase; `rounds` has all values behind the median. */
export interface PhaseResult {
  phase: string;
  findings: Finding[];
  rounds: Record<string, unknown>;
}

export function keeps({ value, target }: Finding): boolean | undefined {
  if (target === undefined) return undefined;
  return 'least' in target ? value >= target.least : value <= target.most;
}
