import { type Clock, systemClock } from '@fiado/contracts/clock';
import { createCounter, createLiveGauge } from '../metrics';

/** Refused checks were not compared: too many wrong codes had been given before. */
export type CodeCheckOutcome = 'right' | 'wrong' | 'refused';

const WINDOW_MS = 60 * 60_000;

/** Fewer wrong codes are no pattern: two stores that mistype. */
const MIN_WRONG = 20;

interface Window {
  since: number;
  right: number;
  wrong: number;
}

/**
 * Watches the ratio of wrong to right codes for each wholesaler and hour. Nobody is refused for it:
 * it is for an alert, so it counts in the process's memory only.
 */
export class CodeWatch {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  count(wholesalerId: string, outcome: CodeCheckOutcome): void {
    const now = this.clock.now().getTime();
    const known = this.windows.get(wholesalerId);
    const window =
      known !== undefined && isOpen(known, now) ? known : { since: now, right: 0, wrong: 0 };
    if (outcome === 'right') window.right += 1;
    else window.wrong += 1;
    this.windows.set(wholesalerId, window);
  }

  /** Ids of the wholesalers more of whose codes were wrong than right; forgets what is over. */
  suspicious(): string[] {
    const now = this.clock.now().getTime();
    for (const [wholesalerId, window] of this.windows) {
      if (!isOpen(window, now)) this.windows.delete(wholesalerId);
    }
    return [...this.windows].flatMap(([wholesalerId, { right, wrong }]) =>
      wrong >= MIN_WRONG && wrong > right ? [wholesalerId] : [],
    );
  }
}

function isOpen({ since }: Window, now: number): boolean {
  return now - since < WINDOW_MS;
}

const countOutcome = createCounter(
  'fiado_code_checks_total',
  'Checked codes: right, wrong, or refused after too many wrong ones',
  ['outcome'],
  [{ outcome: 'right' }, { outcome: 'wrong' }, { outcome: 'refused' }],
);

const watch = new CodeWatch(systemClock);

// Without the ids: no label of a metric holds one. The runbook shows where to find them.
createLiveGauge(
  'fiado_wholesalers_with_wrong_codes',
  'Wholesalers more of whose codes were wrong than right in the last hour, by what this process saw',
  [],
  (set) => set({}, watch.suspicious().length),
);

/** Counts a check of a code of a wholesaler's order or user. */
export function countCodeCheck(wholesalerId: string, outcome: CodeCheckOutcome): void {
  countOutcome({ outcome });
  watch.count(wholesalerId, outcome);
}
