import type { InvariantCheck } from '@fiado/contracts/invariants';
import type { Service } from '@fiado/contracts/process-names';
import { compareServices } from '../../../apps/cli/src/verify/compare-services';
import { Progress } from '../../../apps/cli/src/verify/progress';
import { checkService, type ReportedCheck, verify } from '../../../apps/cli/src/verify/run-checks';
import type { System } from '../system/system';
import { invariantsOf } from './invariants-api';

/**
 * The checks that `fiado verify` finds violated in a system at rest.
 * @param since undefined: everything is checked
 */
export async function brokenChecks(system: System, since?: Date): Promise<ReportedCheck[]> {
  const { checks } = await verify(invariantsOf(system), optionsOf(since));
  return checks.filter(({ holds }) => !holds);
}

/** Those of one service, or those that compare the services. */
export async function brokenChecksOf(
  service: Service | 'across',
  system: System,
  since: Date,
): Promise<InvariantCheck[]> {
  const [api, options] = [invariantsOf(system), optionsOf(since)];
  const checks =
    service === 'across'
      ? await compareServices(api, options)
      : await checkService(api, service, options);
  return checks.filter(({ holds }) => !holds);
}

function optionsOf(since: Date | undefined) {
  return { since: since?.toISOString(), settleMs: 0, progress: new Progress() };
}
