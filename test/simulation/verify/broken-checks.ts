import { beginning } from '../../../apps/cli/src/verify/position';
import { type ReportedCheck, verify } from '../../../apps/cli/src/verify/run-checks';
import type { System } from '../system/system';
import { invariantsOf } from './invariants-api';

/**
 * The checks that `fiado verify` finds violated in a system at rest.
 * @param since undefined: everything is checked
 */
export async function brokenChecks(system: System, since?: Date): Promise<ReportedCheck[]> {
  const report = await verify(invariantsOf(system), {
    position: beginning(since?.toISOString()),
    settleMs: 0,
    onPosition: () => Promise.resolve(),
  });
  return report.checks.filter(({ holds }) => !holds);
}
