/** A receivable as a wholesaler sees it. */
export const RECEIVABLE_STATUSES = ['pending', 'overdue', 'paid'] as const;
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];

export interface DueReceivable {
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
