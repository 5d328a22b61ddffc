import {
  hasCheckDigit,
  plainReference,
  REFERENCE_LENGTHS,
  type ReferenceKind,
} from '../debts/payment-reference.rules';

/**
 * Why a debt may be the one that a deposit is meant for. reference: the deposit names it, or its
 * user. similar-reference: so it does but for one slip. amount: exactly this much is owed.
 */
export const CANDIDATE_REASONS = ['reference', 'similar-reference', 'amount'] as const;
type CandidateReason = (typeof CANDIDATE_REASONS)[number];

/** As many as a person compares at a glance. */
const MAX_CANDIDATES = 10;

interface Candidate {
  id: string;
  outstandingCents: number;
  dueAt: Date;
}

/**
 * Orders the debts that were found for a deposit: by their best reason, those that owe exactly its
 * amount before the others, then by how near their last day is to the payment.
 */
export function rankCandidates<Found extends Candidate>(
  found: Array<[CandidateReason, Found[]]>,
  { valorCents, paidAt }: { valorCents: number; paidAt: Date },
): Array<Found & { reasons: CandidateReason[] }> {
  const byId = new Map<string, Found & { reasons: CandidateReason[] }>();
  for (const [reason, candidates] of found) {
    for (const candidate of candidates) {
      const known = byId.get(candidate.id) ?? { ...candidate, reasons: [] };
      if (!known.reasons.includes(reason)) known.reasons.push(reason);
      byId.set(candidate.id, known);
    }
  }
  for (const { outstandingCents, reasons } of byId.values()) {
    if (outstandingCents === valorCents && !reasons.includes('amount')) reasons.push('amount');
  }
  const rankOf = ({ dueAt, reasons }: Candidate & { reasons: CandidateReason[] }): number[] => [
    reasons.includes('reference') ? 0 : reasons.includes('similar-reference') ? 1 : 2,
    reasons.includes('amount') ? 0 : 1,
    Math.abs(dueAt.getTime() - paidAt.getTime()),
  ];
  return [...byId.values()]
    .toSorted((a, b) => compare(rankOf(a), rankOf(b)))
    .slice(0, MAX_CANDIDATES);
}

function compare(a: number[], b: number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const KINDS = Object.keys(REFERENCE_LENGTHS) as ReferenceKind[];

/**
 * The references that differ from one of the two texts of a deposit by one slip: a wrong, missing
 * or additional digit, or two adjacent digits swapped. Only those with a right check digit, so a
 * text has some twenty of each kind.
 */
export function similarReferences(
  texts: Record<ReferenceKind, string>,
): Array<{ kind: ReferenceKind; reference: string }> {
  return KINDS.flatMap((kind) => {
    const found = KINDS.flatMap((field) =>
      oneSlipFrom(plainReference(texts[field]), REFERENCE_LENGTHS[kind]),
    );
    return [...new Set(found)].map((reference) => ({ kind, reference }));
  });
}

/** The references of that length which are one slip away from a text. */
function oneSlipFrom(typed: string, length: number): string[] {
  if (!/^\d+$/.test(typed) || Math.abs(typed.length - length) > 1) return [];
  const places = Array.from({ length: typed.length + 1 }, (_, place) => place);
  const slips = places.flatMap((place) => {
    const [before, after] = [typed.slice(0, place), typed.slice(place)];
    const [first = '', second = ''] = after;
    if (typed.length < length) return DIGITS.map((digit) => before + digit + after);
    if (typed.length > length) return [before + after.slice(1)];
    return [
      ...DIGITS.map((digit) => before + digit + after.slice(1)),
      before + second + first + after.slice(2),
    ];
  });
  return slips.filter((slip) => slip.length === length && slip !== typed && hasCheckDigit(slip));
}

/** What names the open debts of one corner store. */
export interface OwnDebts {
  /** Its numeroReferencia and their idFacturas. */
  references: string[];
  /** What is left to pay of each. */
  debtsCents: number[];
}

/**
 * Unmatched deposits that may be meant for the debts of one corner store, each with the reasons: those with the best
 * reason first, then the newest.
 */
export function rankPossible<
  Found extends Record<ReferenceKind, string> & { valorCents: number; receivedAt: Date },
>(deposits: Found[], own: OwnDebts): Array<Found & { reasons: CandidateReason[] }> {
  const { references, debtsCents } = own;
  const amounts = new Set([...debtsCents, debtsCents.reduce((sum, cents) => sum + cents, 0)]);
  const plain = references.map(withoutZeros);
  const found = deposits.flatMap((deposit) => {
    const texts = KINDS.map((kind) => withoutZeros(plainReference(deposit[kind])));
    const reasons: CandidateReason[] = [];
    if (texts.some((text) => plain.includes(text))) reasons.push('reference');
    else if (texts.some((text) => plain.some((own) => isOneSlip(text, own)))) {
      reasons.push('similar-reference');
    }
    if (amounts.has(deposit.valorCents)) reasons.push('amount');
    return reasons.length === 0 ? [] : [{ ...deposit, reasons }];
  });
  const rankOf = ({ reasons, receivedAt }: (typeof found)[number]): number[] => [
    CANDIDATE_REASONS.findIndex((reason) => reasons.includes(reason)),
    -reasons.length,
    -receivedAt.getTime(),
  ];
  return found.toSorted((a, b) => compare(rankOf(a), rankOf(b))).slice(0, MAX_CANDIDATES);
}

function withoutZeros(reference: string): string {
  return reference.replace(/^0+/, '');
}

/** Whether two texts differ by one wrong, missing or additional character, or by two adjacent ones swapped. */
function isOneSlip(typed: string, reference: string): boolean {
  if (Math.abs(typed.length - reference.length) > 1) return false;
  let at = 0;
  while (at < reference.length && typed[at] === reference[at]) at += 1;
  const after = (text: string, skipped: number): string => text.slice(at + skipped);
  const isSwapped =
    typed[at] === reference[at + 1] &&
    typed[at + 1] === reference[at] &&
    after(typed, 2) === after(reference, 2);
  return (
    isSwapped ||
    after(typed, 1) === after(reference, 1) ||
    after(typed, 1) === after(reference, 0) ||
    after(typed, 0) === after(reference, 1)
  );
}
