/** Digits of the sequence in an `idFactura`; a Luhn digit follows them (design 2, Payments). */
const ID_FACTURA_DIGITS = 12;
/** Digits of the sequence in a `numeroReferencia`; a Luhn digit follows them. */
const NUMERO_REFERENCIA_DIGITS = 11;

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
