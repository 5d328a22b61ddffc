import { dayAfter } from '@fiado/contracts/clock';

/** A receivable as a wholesaler sees it. */
export const RECEIVABLE_STATUSES = ['pending', 'overdue', 'paid'] as const;

const DAY_MS = 86_400_000;

/** When a debt is due. Its day and time zone are null in debts of the release before. */
export interface Due {
  /** The end of the last day to pay. */
  dueAt: Date;
  /** That day, such as 2026-12-07. */
  dueOn: string | null;
  timeZone: string | null;
}

/**
 * The last day to pay of a debt, and the time zone of its calendar.
 * @param installationZone of debts that have no time zone
 */
export function dueDayOf(
  { dueAt, dueOn, timeZone }: Due,
  installationZone: string,
): { dueOn: string; timeZone: string } {
  const zone = timeZone ?? installationZone;
  return { dueOn: dueOn ?? dayAfter(dueAt, zone).date, timeZone: zone };
}

/**
 * Days of the calendar since the last day to pay, from 1 on the day after it; 0 before and for a paid
 * debt.
 */
export function daysOverdue(
  debt: Due & { paidAt: Date | null },
  now: Date,
  installationZone: string,
): number {
  if (debt.paidAt !== null) return 0;
  const { dueOn, timeZone } = dueDayOf(debt, installationZone);
  const today = dayAfter(now, timeZone).date;
  return Math.max(0, (Date.parse(today) - Date.parse(dueOn)) / DAY_MS);
}

export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];

interface DueReceivable {
  dueAt: Date;
  paidAt: Date | null;
  /** Also before it is due, if a sandbox ran the default detection for a later day. */
  inDefault: boolean;
}

/** Overdue: not fully paid after its payment date. */
export function receivableStatus(
  { dueAt, paidAt, inDefault }: DueReceivable,
  now: Date,
): ReceivableStatus {
  if (paidAt !== null) return 'paid';
  return inDefault || dueAt < now ? 'overdue' : 'pending';
}
