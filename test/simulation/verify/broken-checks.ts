import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { Progress } from '../../../apps/cli/src/verify/progress';
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
  only?: Service | 'across',
): Promise<ReportedCheck[]> {
  const report = await verify(invariantsOf(system), {
    since: since?.toISOString(),
    settleMs: 0,
    progress: new Progress(),
    services: SERVICES.filter((name) => only === undefined || name === only),
  });
  return report.checks.filter(({ holds }) => !holds);
}
