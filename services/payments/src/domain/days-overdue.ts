const DAY_MS = 24 * 60 * 60_000;

/** Days since the last day to pay, from 1 on the day after it; 0 before and for a paid debt. */
export function daysOverdue(
  { dueAt, paidAt }: { dueAt: Date; paidAt: Date | null },
  now: Date,
): number {
  if (paidAt !== null) return 0;
  return Math.max(0, Math.ceil((now.getTime() - dueAt.getTime()) / DAY_MS));
}
