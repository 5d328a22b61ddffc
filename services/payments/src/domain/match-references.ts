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
 * Why a deposit is unmatched. unknown: no reading of its references exists. ambiguous: its
 * references are shortened or swapped, and their readings lead to more than one user. above-ceiling:
 * it is far more than its user owes.
 */
export const UNMATCHED_REASONS = ['unknown', 'ambiguous', 'above-ceiling'] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/**
 * Decides whose debt a deposit pays. An exact reference decides alone, idFactura first. Other
 * readings count only if all of them lead to one user, because a wrong guess would pay a stranger's
 * debt.
 * @param readings the likeliest first
 * @param known the readings that exist, in any order
 */
export function matchReferences(
  readings: Reading[],
  known: KnownReference[],
): Match | 'unknown' | 'ambiguous' {
  const found = readings.flatMap(({ kind, reference, isExact }) =>
    known
      .filter((one) => one.kind === kind && one.reference === reference)
      .map(({ userId, receivableId }) => ({ isExact, match: { userId, receivableId } })),
  );
  const [first] = found;
  if (first === undefined) return 'unknown';
  if (first.isExact) return first.match;
  const users = new Set(found.map(({ match }) => match.userId));
  return users.size === 1 ? first.match : 'ambiguous';
}
