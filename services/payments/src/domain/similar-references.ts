import {
  hasCheckDigit,
  plainReference,
  REFERENCE_LENGTHS,
  type ReferenceKind,
} from './payment-reference';

/** A reference that a typed text resembles. */
export interface SimilarReference {
  kind: ReferenceKind;
  reference: string;
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const KINDS = Object.keys(REFERENCE_LENGTHS) as ReferenceKind[];

/**
 * The references that differ from one of the two texts of a deposit by one slip: a wrong, missing
 * or additional digit, or two neighbours swapped. Only those with a right check digit, so a text has
 * some twenty of each kind.
 */
export function similarReferences(texts: Record<ReferenceKind, string>): SimilarReference[] {
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
