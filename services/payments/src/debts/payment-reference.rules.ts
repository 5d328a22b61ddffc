import { createHmac } from 'node:crypto';

/** Rounds of the network, as in FF1 (NIST SP 800-38G), which has the same structure. */
const ROUNDS = 10;

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

/** A reference as people type or copy it, without the spaces, hyphens and invisible marks in it. */
export function plainReference(text: string): string {
  return text.replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
}

/** A reference that a typed text may mean. */
export interface Reading {
  kind: ReferenceKind;
  /** At its full length, with all leading zeros. */
  reference: string;
  /** The field of the text. */
  field: ReferenceKind;
  /** The payer typed all its digits, and before them nothing but zeros. */
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

/**
 * A permutation of the numbers below `size`: a Feistel network whose round function is HMAC-SHA256,
 * repeated until the result is below `size`. Without the key it is unknown which numbers are in use.
 * @param size at most 2^52
 * @param tweak each one selects another permutation
 */
export function permuted(
  number: number,
  { size, key, tweak }: { size: number; key: Buffer; tweak: string },
): number {
  if (!Number.isInteger(number) || number < 0 || number >= size) {
    throw new RangeError(`Only numbers below ${size} are permuted`);
  }
  const half = 2 ** Math.ceil(Math.log2(size) / 2);
  let result = number;
  do {
    let [left, right] = [Math.floor(result / half), result % half];
    for (let round = 0; round < ROUNDS; round += 1) {
      const mask = createHmac('sha256', key).update(`${tweak} ${round} ${right}`).digest();
      [left, right] = [right, (left + mask.readUInt32BE()) % half];
    }
    result = left * half + right;
  } while (result >= size);
  return result;
}

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
 * Decides whose debt a deposit pays. A wrong guess would pay a stranger's debt, so all readings must
 * lead to one user. An exact reference, idFactura first, is contradicted by another full one
 * only: a shorter text may be a number of the payer's own.
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
