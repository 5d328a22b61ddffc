import { DateTime } from 'luxon';
import { dayAfter } from '@fiado/contracts/clock';

/** When a debt is due. Its day and time zone are null in debts of the release before. */
export interface Due {
  /** The end of the last day to pay. */
  dueAt: Date;
  /** That day, such as 2026-12-07. */
  dueOn: string | null;
  timeZone: string | null;
}

/** SQL of a Due's columns, of the receivables `r`. */
export const DUE = 'r.due_at, r.due_on::text AS "dueOn", r.time_zone';

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
  const today = DateTime.fromISO(dayAfter(now, timeZone).date);
  return Math.max(0, today.diff(DateTime.fromISO(dueOn), 'days').days);
}
