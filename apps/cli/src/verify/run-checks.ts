import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/contracts/invariants';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Resources } from '@fiado/ops-client/generated/resources';
import { amountText, printable, tableOf } from '../output';
import { compareServices } from './compare-services';
import { LONG_CALL } from './corner-store-sums';
import type { Progress } from './progress';

/** The name under which checks across the services are reported. */
const ACROSS = 'across';

/** A check with its service. */
export interface ReportedCheck extends InvariantCheck {
  service: string;
}

interface VerifyReport {
  ok: boolean;
  /** ISO 8601: rows that ended before were not checked; null: all were. */
  since: string | null;
  cornerStores: number;
  checks: ReportedCheck[];
}

interface VerifyOptions {
  /** ISO 8601; undefined: all rows are checked. */
  since: string | undefined;
  /** How long a difference between services is checked again before it counts. */
  settleMs: number;
  progress: Progress;
}

/** Runs the checks of each service, and compares their values for each corner store. */
export async function verify(
  ops: Pick<Resources, 'invariants'>,
  { since, settleMs, progress }: VerifyOptions,
): Promise<VerifyReport> {
  const own = await Promise.all(
    SERVICES.map((service) => checkService(ops, service, { since, progress })),
  );
  const across = await compareServices(ops, { since, settleMs, progress });
  const checks = [...own.flat(), ...across.map((check) => ({ service: ACROSS, ...check }))];
  return {
    ok: checks.every((check) => check.holds),
    since: since ?? null,
    cornerStores: progress.cornerStores,
    checks,
  };
}

/** Checks a service's invariants, range by range. */
export async function checkService(
  { invariants }: Pick<Resources, 'invariants'>,
  service: Service,
  { since, progress }: Pick<VerifyOptions, 'since' | 'progress'>,
): Promise<ReportedCheck[]> {
  const checkRange = (query: { from: string | undefined; since: string | undefined }) =>
    ({
      accounts: () => invariants.checkAccounts(query, LONG_CALL),
      transactions: () => invariants.checkTransactions(query, LONG_CALL),
      payments: () => invariants.checkPayments(query, LONG_CALL),
      notifier: () => invariants.checkNotifier(query, LONG_CALL),
    })[service]();
  const checks = new Map<string, ReportedCheck>();
  let from: string | undefined;
  do {
    const range = await checkRange({ from, since });
    for (const { name, holds, violations } of range.checks) {
      // A check is violated if it is in any range; the first rows at fault are kept.
      const known = checks.get(name) ?? { service, name, holds: true, violations: [] };
      known.holds &&= holds;
      known.violations.push(...violations.slice(0, MAX_VIOLATIONS - known.violations.length));
      checks.set(name, known);
    }
    progress.checked(service, range);
    from = range.next ?? undefined;
  } while (from !== undefined);
  return [...checks.values()];
}

/** The report for a person: a line for each check, then the rows at fault. */
export function reportText({ checks, cornerStores, since }: VerifyReport): string {
  const table = tableOf(
    checks.map(({ service, name, holds }) => ({
      result: holds ? 'ok' : 'BROKEN',
      service,
      check: name,
    })),
    ['result', 'service', 'check'],
  );
  const faults = checks.flatMap(({ service, name, holds, violations }) =>
    holds
      ? []
      : ['', `BROKEN ${service}: ${name}`, ...violations.map((row) => `  ${rowText(row)}`)],
  );
  const period =
    since === null
      ? 'everything was checked'
      : `what ended before ${since.slice(0, 'YYYY-MM-DD'.length)} was left out (--all checks it)`;
  return [table, ...faults, '', `${cornerStores} corner stores compared; ${period}`].join('\n');
}

/** Such as: cornerStoreId 5d1e…, delivered 500.00, principal 400.00. */
function rowText(row: object): string {
  return Object.entries(row as Record<string, unknown>)
    .map(([field, value]) => fieldText(field, value))
    .join(', ');
}

function fieldText(field: string, value: unknown): string {
  if (typeof value === 'number' && field.endsWith('Cents')) {
    return `${field.slice(0, -'Cents'.length)} ${amountText(value / 100)}`;
  }
  if (typeof value === 'object' && value !== null) return `${field} (${rowText(value)})`;
  return `${field} ${printable(String(value))}`;
}
