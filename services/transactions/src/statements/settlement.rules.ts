import { dayAfter } from '@fiado/contracts/clock';
import { shareOf } from '@fiado/contracts/money';

/** Whether IVA is added to the rate of a commission, or included in it. */
export const COMMISSION_IVA = ['added', 'included'] as const;
export type CommissionIva = (typeof COMMISSION_IVA)[number];

/** Sums of all lines of a statement, in signed integer cents. */
export interface LineSums {
  grossCents: number;
  /** As the wholesaler agreed it: with IVA where it is included. */
  commissionCents: number;
}

/** The terms of the IVA on commissions. */
export interface IvaTerms {
  commissionIva: CommissionIva;
  /** A decimal with at most 6 decimals. */
  ivaRate: string;
}

/** The totals of a statement, in signed integer cents; only `dueCents` is never negative. */
export interface StatementTotals {
  grossCents: number;
  /** Without IVA. */
  commissionCents: number;
  commissionIvaCents: number;
  openingCents: number;
  netCents: number;
  dueCents: number;
}

/**
 * Totals of a statement. IVA is computed once for a statement, as its invoice does, and rounded half
 * up on the absolute value, so that a correction takes back exactly what it corrects.
 * @param openingCents what the wholesaler owes from the statement before: zero or negative
 */
export function totalsOf(
  lines: LineSums,
  openingCents: number,
  { commissionIva, ivaRate }: IvaTerms,
): StatementTotals {
  const { grossCents } = lines;
  const sign = Math.sign(lines.commissionCents);
  const agreedCents = Math.abs(lines.commissionCents);
  const ivaCents =
    commissionIva === 'added'
      ? shareOf(agreedCents, ivaRate)
      : agreedCents - withoutIva(agreedCents, ivaRate);
  // `|| 0`: a product with a sign of 0 may be -0, which JSON and comparisons tell apart.
  const commissionIvaCents = sign * ivaCents || 0;
  const commissionCents =
    commissionIva === 'added' ? lines.commissionCents : lines.commissionCents - commissionIvaCents;
  const netCents = openingCents + grossCents - commissionCents - commissionIvaCents;
  return {
    grossCents,
    commissionCents,
    commissionIvaCents,
    openingCents,
    netCents,
    dueCents: Math.max(netCents, 0),
  };
}

/** One in millionths, the unit of rates. */
const MICROS = 1_000_000n;

/** An amount without the IVA that it includes, rounded half up to cents. */
function withoutIva(cents: number, ivaRate: string): number {
  const withIva = MICROS + BigInt(shareOf(Number(MICROS), ivaRate));
  return Number((BigInt(cents) * MICROS + withIva / 2n) / withIva);
}

/**
 * The commission that a correction of an order takes back, in cents: the difference of two rounded
 * totals, so that taking back the whole order takes back its whole commission.
 * @param leftCents what is left of the delivered amount before the correction
 * @param rate of the order's commission
 */
export function commissionBack(leftCents: number, takenCents: number, rate: string): number {
  return shareOf(leftCents, rate) - shareOf(leftCents - takenCents, rate);
}

/** How often the statements of a wholesaler are closed. */
export type ClosingPeriod = 'daily' | 'weekly';

/**
 * The newest moment at which statements close: the start of the day, or of Monday, in the time zone.
 */
export function lastClosing(now: Date, timeZone: string, every: ClosingPeriod): Date {
  const days = every === 'daily' ? 0 : daysSinceMonday(dayAfter(now, timeZone).date);
  return new Date(dayAfter(now, timeZone, -days - 1).end.getTime() + 1);
}

/** @param date such as 2026-11-24 */
function daysSinceMonday(date: string): number {
  const sunday0 = new Date(`${date}T00:00:00Z`).getUTCDay();
  return (sunday0 + 6) % 7;
}
