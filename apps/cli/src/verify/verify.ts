import type { Resources } from '../generated/resources';
import { compareServices } from './compare-services';
import { LONG_CALL } from './long-call';
import type { ReportedCheck, VerifyReport } from './report';

/** The name under which checks across the services are reported. */
const ACROSS = 'across';

/**
 * Runs the checks of each service, and compares their values for each corner store.
 * @param settleMs how long a difference between services is checked again before it counts
 */
export async function verify(ops: Resources, settleMs: number): Promise<VerifyReport> {
  const { invariants } = ops;
  const reports = await Promise.all([
    invariants.checkAccounts(LONG_CALL),
    invariants.checkTransactions(LONG_CALL),
    invariants.checkPayments(LONG_CALL),
    invariants.checkNotifier(LONG_CALL),
  ]);
  const { cornerStores, checks: across } = await compareServices(ops, settleMs);
  const checks: ReportedCheck[] = [
    ...reports.flatMap(({ service, checks }) => checks.map((check) => ({ service, ...check }))),
    ...across.map((check) => ({ service: ACROSS, ...check })),
  ];
  return { ok: checks.every((check) => check.holds), cornerStores, checks };
}
