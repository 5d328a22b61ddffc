import { permuted } from './permutation';

const REFERENCE_KINDS = ['idFactura', 'numeroReferencia'] as const;
/**
 * A kind of reference, named as the field of `recordDeposit` that is meant for it. An idFactura asks
 * for the payment of one receivable; under a numeroReferencia a user pays whatever is due.
 */
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** Digits of a reference with its Luhn digit. */
export const REFERENCE_LENGTHS: Record<ReferenceKind, number> = {
  idFactura: 13,
  numeroReferencia: 12,
};

/**
 * A reference for a number of its kind's sequence. References are not consecutive, so that knowing
 * some does not reveal others. None starts with 0, as all of an earlier release did.
 * @param key of the installation
 * @throws RangeError when the sequence has run out
 */
export function referenceOf(kind: ReferenceKind, sequenceNumber: number, key: Buffer): string {
  const first = 10 ** (REFERENCE_LENGTHS[kind] - 2);
  const number = first + permuted(sequenceNumber, { size: 9 * first, key, tweak: kind });
  return `${number}${luhnDigit(String(number))}`;
}

/** A reference as a provider's clerk may have typed it, without the spaces and hyphens in it. */
export function plainReference(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

/** A reference that a typed text may mean. */
export interface Reading {
  kind: ReferenceKind;
  /** At its full length, with all leading zeros. */
  reference: string;
  /** The field of the text. */
  field: ReferenceKind;
  /** The payer typed all its digits; beyond them, at most zeros at its head. */
  isFull: boolean;
  /** All its digits and no more, in the field of its kind. */
  isExact: boolean;
}

/**
 * The references that the two texts of a deposit may mean, the likeliest first. A text of
 * digits is read as both kinds, because payers swap the fields and leave out leading zeros. The
 * references of an earlier release start with zeros, so one text may be two of them. Of
 * two equally likely readings the idFactura is first, because it names a receivable of its user.
 */
export function readingsOf(texts: Record<ReferenceKind, string>): Reading[] {
  return REFERENCE_KINDS.flatMap((kind) =>
    REFERENCE_KINDS.flatMap((field) => readingsOfText(texts[field], kind, field)),
  ).toSorted((a, b) => b.likelihood - a.likelihood);
}

function readingsOfText(
  text: string,
  kind: ReferenceKind,
  field: ReferenceKind,
): Array<Reading & { likelihood: number }> {
  const typed = plainReference(text);
  const digits = typed.replace(/^0+/, '');
  if (!/^\d+$/.test(digits) || digits.length > REFERENCE_LENGTHS[kind]) return [];

  const length = REFERENCE_LENGTHS[kind];
  const isWhole = typed.length === length;
  const isInOwnField = kind === field;
  return [
    {
      kind,
      field,
      reference: digits.padStart(length, '0'),
      isFull: isWhole || digits.length === length,
      isExact: isWhole && isInOwnField,
      likelihood: 2 * Number(isWhole) + Number(isInOwnField),
    },
  ];
}

/** Whether the last digit of a reference is its check digit. */
export function hasCheckDigit(reference: string): boolean {
  return luhnDigit(reference.slice(0, -1)) === Number(reference.at(-1));
}

/** ISO/IEC 7812-1: the digit that makes the sum a multiple of ten; one wrong digit breaks it. */
function luhnDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return (10 - (sum % 10)) % 10;
}
