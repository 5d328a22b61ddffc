import type { InvariantCheck } from '@fiado/contracts/invariants';
import { amountText, printable, tableOf } from '../output';

/** A check with its service. */
export interface ReportedCheck extends InvariantCheck {
  service: string;
}

export interface VerifyReport {
  ok: boolean;
  /** ISO 8601: what is older and over was not checked; null: all was. */
  since: string | null;
  cornerStores: number;
  checks: ReportedCheck[];
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
