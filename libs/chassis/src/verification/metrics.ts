import { createCounter, createLiveGauge } from '../metrics';
import { systemClock } from '@fiado/contracts/clock';
import { CodeWatch, type CodeCheckOutcome } from './code-watch';

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
