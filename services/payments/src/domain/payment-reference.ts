/** Digits of the sequence in an `idFactura`; a Luhn digit follows them (design 2, Payments). */
const ID_FACTURA_DIGITS = 12;
/** Digits of the sequence in a `numeroReferencia`; a Luhn digit follows them. */
const NUMERO_REFERENCIA_DIGITS = 11;

/** Digits of a reference with its Luhn digit. */
const LENGTHS: Record<ReferenceKind, number> = {
  idFactura: ID_FACTURA_DIGITS + 1,
  numeroReferencia: NUMERO_REFERENCIA_DIGITS + 1,
};

/** The code that asks for the payment of one receivable: 13 digits. */
export function idFacturaOf(sequenceNumber: number): string {
  return withLuhnDigit(sequenceNumber, ID_FACTURA_DIGITS);
}

/** The reference under which a user pays whatever is due: 12 digits, the same for ever. */
export function numeroReferenciaOf(sequenceNumber: number): string {
  return withLuhnDigit(sequenceNumber, NUMERO_REFERENCIA_DIGITS);
}

/** A reference as a provider's clerk may have typed it, without the spaces and hyphens in it. */
export function plainReference(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

const REFERENCE_KINDS = ['idFactura', 'numeroReferencia'] as const;
/** A kind of reference, named as the field of `recordDeposit` that is meant for it. */
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** A reference that a typed text may stand for. */
export interface Reading {
  kind: ReferenceKind;
  /** At its full length, with all leading zeros. */
  reference: string;
  /** Typed with all its digits into the field of its kind: no other reading is considered. */
  isExact: boolean;
}

/**
 * The references that the two texts of a deposit may stand for, the likeliest first. A text of
 * digits is read as both kinds, because payers swap the fields and leave out leading zeros. Both
 * kinds start at 1 and the Luhn digit ignores leading zeros, so one text may be two references. Of
 * two equally likely readings the idFactura is first, because it names a receivable of its user.
 */
export function readingsOf(texts: Record<ReferenceKind, string>): Reading[] {
  return REFERENCE_KINDS.flatMap((kind) =>
    REFERENCE_KINDS.flatMap((field) => readingsOfText(texts[field], kind, kind === field)),
  ).toSorted((a, b) => b.likelihood - a.likelihood);
}

function readingsOfText(
  text: string,
  kind: ReferenceKind,
  isInOwnField: boolean,
): Array<Reading & { likelihood: number }> {
  const typed = plainReference(text);
  const digits = typed.replace(/^0+/, '');
  if (!/^\d+$/.test(digits) || digits.length > LENGTHS[kind]) return [];

  const isFull = typed.length === LENGTHS[kind];
  return [
    {
      kind,
      reference: digits.padStart(LENGTHS[kind], '0'),
      isExact: isFull && isInOwnField,
      likelihood: 2 * Number(isFull) + Number(isInOwnField),
    },
  ];
}

function withLuhnDigit(sequenceNumber: number, digits: number): string {
  const number = String(sequenceNumber);
  if (!/^\d+$/.test(number) || number.length > digits) {
    throw new RangeError(`A payment reference takes a number of at most ${digits} digits`);
  }
  const padded = number.padStart(digits, '0');
  return padded + luhnDigit(padded);
}

/** ISO/IEC 7812-1: the digit that makes the sum a multiple of ten; one wrong digit breaks it. */
function luhnDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return (10 - (sum % 10)) % 10;
}
