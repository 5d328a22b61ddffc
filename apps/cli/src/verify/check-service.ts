import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/contracts/invariants';
import type { Service } from '@fiado/contracts/process-names';
import type { Resources } from '@fiado/ops-client/generated/resources';
import { LONG_CALL } from './long-call';
import type { Position } from './position';

/**
 * Checks a service's invariants, range by range, from where the position is.
 * @param onRange called after each range, once it is in the position
 */
export async function checkService(
  { invariants }: Pick<Resources, 'invariants'>,
  service: Service,
  { position, onRange }: { position: Position; onRange: () => Promise<void> },
): Promise<void> {
  const checkRange = (query: { from: string | undefined; since: string | undefined }) =>
    ({
      accounts: () => invariants.checkAccounts(query, LONG_CALL),
      transactions: () => invariants.checkTransactions(query, LONG_CALL),
      payments: () => invariants.checkPayments(query, LONG_CALL),
      notifier: () => invariants.checkNotifier(query, LONG_CALL),
    })[service]();
  const at = position.services[service];
  while (at.next !== null) {
    const range = await checkRange({ from: at.next, since: position.since });
    for (const check of range.checks) add(at.checks, check);
    at.rows += range.rows;
    at.done = range.done;
    at.next = range.next;
    await onRange();
  }
}

/** A check is violated if it is in any range; the first rows at fault are kept. */
function add(checks: InvariantCheck[], { name, holds, violations }: AnsweredCheck): void {
  const known = checks.find((one) => one.name === name);
  if (known === undefined) {
    checks.push({ name, holds, violations: [...violations] });
    return;
  }
  known.holds &&= holds;
  known.violations.push(...violations.slice(0, MAX_VIOLATIONS - known.violations.length));
}

interface AnsweredCheck {
  name: string;
  holds: boolean;
  violations: readonly object[];
}
