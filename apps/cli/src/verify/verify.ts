import type { InvariantReport } from '@fiado/shared/contracts/invariants';
import { SERVICES } from '@fiado/shared/contracts/process-names';
import type { Api } from '../api';
import { compareServices } from './compare-services';
import type { ReportedCheck, VerifyReport } from './report';

/** The name under which checks across the services are reported. */
const ACROSS = 'across';

/**
 * Runs the checks of each service, and compares their values for each corner store.
 * @param settleMs how long a difference between services is checked again before it counts
 */
export async function verify(api: Api, settleMs: number): Promise<VerifyReport> {
  const reports = await Promise.all(
    SERVICES.map((service) => api.call<InvariantReport>('GET', `/invariants/${service}`)),
  );
  const { cornerStores, checks: across } = await compareServices(api, settleMs);
  const checks: ReportedCheck[] = [
    ...reports.flatMap(({ service, checks }) => checks.map((check) => ({ service, ...check }))),
    ...across.map((check) => ({ service: ACROSS, ...check })),
  ];
  return { ok: checks.every((check) => check.holds), cornerStores, checks };
}
