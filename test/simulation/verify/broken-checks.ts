import { beginning } from '../../../apps/cli/src/verify/progress';
import { type ReportedCheck, verify } from '../../../apps/cli/src/verify/run-checks';
import type { System } from '../system/system';
import { invariantsOf } from './invariants-api';

/**
 * The checks that `fiado verify` finds violated in a system at rest.
 * @param since undefined: everything is checked
 * @param only the service whose own checks run; those that compare the services always do
 */
export async function brokenChecks(
  system: System,
  since?: Date,
  only?: string,
): Promise<ReportedCheck[]> {
  const position = beginning(since?.toISOString());
  if (only !== undefined) {
    for (const [service, at] of Object.entries(position.services)) {
      if (service !== only) at.isDone = true;
    }
  }
  const report = await verify(invariantsOf(system), {
    position,
    settleMs: 0,
    onPosition: () => undefined,
  });
  return report.checks.filter(({ holds }) => !holds);
}
