import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/contracts/invariants';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Resources } from '@fiado/ops-client/generated/resources';
import type { Schema } from '@fiado/ops-client/operations';
import { amountText, printable, tableOf } from '../output';
import { compareServices } from './compare-services';
import { LONG_CALL } from './corner-store-sums';
import type { Position } from './progress';

/** The name under which checks across the services are reported. */
const ACROSS = 'across';

/** A check with its service. */
export interface ReportedCheck extends InvariantCheck {
  service: string;
}

interface VerifyReport {
  ok: boolean;
  /** ISO 8601: what is older and over was not checked; null: all was. */
  since: string | null;
  cornerStores: number;
  checks: ReportedCheck[];
}

export interface VerifyOptions {
  /** The beginning; it is kept up to date. */
  position: Position;
  /** How long a difference between services is checked again before it counts. */
  settleMs: number;
  /** Called whenever the position has changed. */
  onPosition: () => void;
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

/**
 * Checks a service's invariants, range by range.
 * @param onRange called after each range, once it is in the position
 */
async function checkService(
  { invariants }: Pick<Resources, 'invariants'>,
  service: Service,
  { position, onRange }: { position: Position; onRange: () => void },
): Promise<void> {
  const checkRange = (query: { from: string | undefined; since: string | undefined }) =>
    ({
      accounts: () => invariants.checkAccounts(query, LONG_CALL),
      transactions: () => invariants.checkTransactions(query, LONG_CALL),
      payments: () => invariants.checkPayments(query, LONG_CALL),
      notifier: () => invariants.checkNotifier(query, LONG_CALL),
    })[service]();
  const at = position.services[service];
  let from: string | undefined;
  while (!at.isDone) {
    const range = await checkRange({ from, since: position.since });
    for (const check of range.checks) add(at.checks, check);
    at.rows += range.rows;
    at.done = range.done;
    at.isDone = range.next === null;
    from = range.next ?? undefined;
    onRange();
  }
}

/** A check is violated if it is in any range; the first rows at fault are kept. */
function add(
  checks: InvariantCheck[],
  { name, holds, violations }: Schema<'InvariantCheck'>,
): void {
  const known = checks.find((one) => one.name === name);
  if (known === undefined) {
    checks.push({ name, holds, violations: [...violations] });
    return;
  }
  known.holds &&= holds;
  known.violations.push(...violations.slice(0, MAX_VIOLATIONS - known.violations.length));
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

/** cornerStoreId 5d1e…, delivered 500.00, principal 400.00. */
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
