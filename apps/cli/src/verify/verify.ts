import { SERVICES } from '@fiado/contracts/process-names';
import type { Resources } from '@fiado/ops-client/generated/resources';
import { checkService } from './check-service';
import { compareServices } from './compare-services';
import type { Position } from './position';
import type { ReportedCheck, VerifyReport } from './report';

/** The name under which checks across the services are reported. */
const ACROSS = 'across';

export interface VerifyOptions {
  /** Where the run begins; it is kept up to date. */
  position: Position;
  /** How long a difference between services is checked again before it counts. */
  settleMs: number;
  /** Called whenever the position has changed. */
  onPosition: () => Promise<void>;
}

/** Runs the checks of each service, and compares their values for each corner store. */
export async function verify(
  ops: Pick<Resources, 'invariants'>,
  { position, settleMs, onPosition }: VerifyOptions,
): Promise<VerifyReport> {
  await Promise.all(
    SERVICES.map((service) => checkService(ops, service, { position, onRange: onPosition })),
  );
  const across = await compareServices(ops, { position, settleMs, onCornerStore: onPosition });
  const checks: ReportedCheck[] = [
    ...SERVICES.flatMap((service) =>
      position.services[service].checks.map((check) => ({ service, ...check })),
    ),
    ...across.map((check) => ({ service: ACROSS, ...check })),
  ];
  return {
    ok: checks.every((check) => check.holds),
    since: position.since ?? null,
    cornerStores: position.comparison.cornerStores,
    checks,
  };
}
