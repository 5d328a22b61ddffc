/** A receivable as a wholesaler sees it. */
export const RECEIVABLE_STATUSES = ['pending', 'overdue', 'paid'] as const;
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];

export interface DueReceivable {
  dueAt: Date;
  paidAt: Date | null;
  /** Also before it is due, when a sandbox has looked for defaults as of a later day. */
  inDefault: boolean;
}

/** Overdue is what lacks money after its last moment to pay. */
export function receivableStatus(
  { dueAt, paidAt, inDefault }: DueReceivable,
  now: Date,
): ReceivableStatus {
  if (paidAt !== null) return 'paid';
  return inDefault || dueAt < now ? 'overdue' : 'pending';
}
