/** A text in the languages of the report. */
export interface Text {
  en: string;
  es: string;
}

/** One comparison of a scenario. */
export interface Check {
  /** What was sent or read. */
  what: string;
  expected: string;
  got: string;
  ok: boolean;
}

/** The scenario finds that it cannot run here. */
export class SkippedError extends Error {}

/** Records what a scenario compared; a scenario passes if all of it is as expected. */
export type Record = (what: string, expected: string | number, got: string | number) => void;

/** A rule that an integration must obey, and how it is tried. */
export interface Scenario<World> {
  id: string;
  title: Text;
  rule: Text;
  /** Needs the system for itself, as it sends a lot. */
  alone?: boolean;
  /** Why it cannot run here; undefined if it can. */
  skip?: (world: World) => string | undefined;
  run: (world: World, record: Record) => Promise<void>;
}

export interface Result {
  id: string;
  title: Text;
  rule: Text;
  status: 'passed' | 'failed' | 'skipped';
  checks: Check[];
  /** Why it was skipped, or the error that ended it. */
  note?: string;
  durationMs: number;
}
