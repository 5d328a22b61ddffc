/** Between two unassignments the status of a deposit only moves on. */
const STATUSES = ['received', 'unmatched', 'applied', 'reversed'] as const;

/** How far a deposit has come: a higher number is a later state. */
export function depositVersion({
  status,
  unassignments,
}: {
  status: (typeof STATUSES)[number];
  unassignments: number;
}): number {
  return STATUSES.indexOf(status) + STATUSES.length * unassignments;
}
