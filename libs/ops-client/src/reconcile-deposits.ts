import type { Resources } from './generated/resources';

const DAY_MS = 86_400_000;

/** The payments of a file in cents, because sums of pesos are not exact, by their folded keys. */
export type Payments = Map<string, number>;

/** Why a row of a file cannot be read. */
export type RowProblem = 'no-column' | 'no-payment' | 'not-utf-8' | 'twice';

/**
 * Adds a row of a payment provider's file.
 * @param fold `foldKey` of the contracts
 */
export function addPayment(
  payments: Payments,
  { claveDePago, valor }: Partial<Record<string, string>>,
  fold: (key: string) => string,
): RowProblem | undefined {
  if (claveDePago === undefined || valor === undefined) return 'no-column';
  if (claveDePago === '' || !/^\d{1,12}(\.\d{1,2})?$/.test(valor)) return 'no-payment';
  if (claveDePago.includes('\u{FFFD}')) return 'not-utf-8';
  const key = fold(claveDePago);
  if (payments.has(key)) return 'twice';
  payments.set(key, centsOf(Number(valor)));
  return undefined;
}

/** A payment that a file and the deposits of its day do not have alike. */
export interface Difference {
  difference: 'missing-here' | 'missing-there' | 'other-amount' | 'reversed-here';
  claveDePago: string;
  /** Pesos of the file. */
  file: number | null;
  /** Pesos of the deposit. */
  valor: number | null;
  status: string | null;
  depositId: string | null;
}

/**
 * Compares the payments of a file with the deposits that arrived on its day. A payment that arrived on the day before
 * or after is found, too.
 * @param provider its name
 * @param fold `foldKey` of the contracts
 * @returns sorted by key
 */
export async function differencesOf(
  { deposits }: Pick<Resources, 'deposits'>,
  payments: Payments,
  { provider, day, fold }: { provider: string; day: string; fold: (key: string) => string },
): Promise<Difference[]> {
  const missing = new Map(payments);
  const differences: Difference[] = [];
  for (const offset of [-1, 0, 1]) {
    const [from, to] = [dayAfter(day, offset), dayAfter(day, offset + 1)];
    for await (const deposit of deposits.list({ from, to, limit: 100 })) {
      if (deposit.paymentProvider !== provider) continue;
      const { claveDePago, valor, status, depositId } = deposit;
      const cents = payments.get(fold(claveDePago));
      missing.delete(fold(claveDePago));
      const common = { claveDePago, valor, status, depositId };
      if (cents === undefined) {
        if (offset === 0) differences.push({ difference: 'missing-there', file: null, ...common });
      } else if (cents !== centsOf(valor)) {
        differences.push({ difference: 'other-amount', file: cents / 100, ...common });
      } else if (status === 'reversed') {
        differences.push({ difference: 'reversed-here', file: cents / 100, ...common });
      }
    }
  }
  const absent = { valor: null, status: null, depositId: null };
  for (const [claveDePago, cents] of missing) {
    differences.push({ difference: 'missing-here', claveDePago, file: cents / 100, ...absent });
  }
  return differences.toSorted((a, b) => (a.claveDePago < b.claveDePago ? -1 : 1));
}

function centsOf(pesos: number): number {
  return Math.round(pesos * 100);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
