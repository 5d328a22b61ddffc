import type { Reading, ReferenceKind } from './payment-reference';

/** The user whose debt a deposit pays, and the receivable that it names, if it names one. */
export interface Match {
  userId: string;
  receivableId: string | null;
}

/** A reference that exists. */
export interface KnownReference extends Match {
  kind: ReferenceKind;
  reference: string;
}

/**
 * Why a deposit is unmatched. unknown: no reading of its references exists. ambiguous: the readings
 * of its references lead to more than one user. above-ceiling: it is far more than its user owes.
 * unassigned: ops took it away from the store whose debt it had paid.
 */
export const UNMATCHED_REASONS = ['unknown', 'ambiguous', 'above-ceiling', 'unassigned'] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/**
 * Decides whose debt a deposit pays. A wrong guess would pay a stranger's debt, so all readings must
 * lead to one user. Beside an exact reference, idFactura first, only another full one can
 * contradict: a shorter text may be a number of the payer's own.
 * @param readings the likeliest first
 * @param known the readings that exist, in any order
 */
export function matchReferences(
  readings: Reading[],
  known: KnownReference[],
): Match | 'unknown' | 'ambiguous' {
  const found = readings.flatMap((reading) =>
    known
      .filter(({ kind, reference }) => kind === reading.kind && reference === reading.reference)
      .map(({ userId, receivableId }) => ({ ...reading, match: { userId, receivableId } })),
  );
  const [first] = found;
  if (first === undefined) return 'unknown';
  // A text that is an exact reference is nothing else.
  const exactFields = found.filter(({ isExact }) => isExact).map(({ field }) => field);
  const counted = first.isExact
    ? found.filter(({ isExact, isFull, field }) => (exactFields.includes(field) ? isExact : isFull))
    : found;
  const users = new Set(counted.map(({ match }) => match.userId));
  return users.size === 1 ? first.match : 'ambiguous';
}
