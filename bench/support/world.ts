import type { Options } from '../options';
import { rowOf, type RowName, type Target } from '../rows';
import type { Cleanup } from './cleanup';
import type { BenchDatabase } from './database';
import type { Secrets } from './system';
import type { Market } from './market';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

/** What a run is given. */
export interface Ground {
  options: Options;
  /** Temporary files of the run. */
  folder: string;
  cleanup: Cleanup;
  /** Aborted when a signal ends the run. */
  ending: AbortSignal;
  say: (line: string) => void;
}

/** The data of a run: filled databases, and the wholesalers and stores of the load. */
export interface World extends Ground {
  db: BenchDatabase;
  twilio: TwilioStandIn;
  secrets: Secrets;
  market: Market;
}

/** One figure of a run. */
export interface Finding {
  what: string;
  value: number;
  unit: string;
  /** The least or the most that it may be. */
  target?: Target;
  /** The row of the table that it is. */
  row?: RowName;
}

/** The result of a phase; `rounds` has all values behind the median. */
export interface PhaseResult {
  phase: string;
  findings: Finding[];
  rounds: Record<string, unknown>;
}

/** The figure of a row of the table. */
export function rowFinding(row: RowName, value: number): Finding {
  const { what, unit, target } = rowOf(row);
  return { what, value, unit, row, ...(target === undefined ? {} : { target }) };
}

export function keeps({ value, target }: Pick<Finding, 'value' | 'target'>): boolean | undefined {
  if (target === undefined) return undefined;
  return 'least' in target ? value >= target.least : value <= target.most;
}
