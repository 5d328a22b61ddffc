import { mayLoseDigits, numbersAsWritten } from './json-text';

const NUMBER = /^(-?)0*(\d+)(?:\.(\d*))?(?:[eE]([+-]?)0*(\d+))?$/;
/** A longer exponent belongs to no number that anybody sends: it is compared as written. */
const MAX_EXPONENT_DIGITS = 15;

/**
 * One text for all spellings of a JSON text: white space, the order of fields and escapes do not
 * matter, and a number counts by its decimal value: 500.00, 500 and 5e2 are the same, and
 * 12345678901234567890 is not 12345678901234567891. Of two fields of a name the last one counts.
 * @param json what JSON.parse made of the text, without a NUL and not too deep
 */
export function canonicalJson(json: unknown, text: string): string {
  return canonical(mayLoseDigits(text) ? numbersAsWritten(text) : json);
}

function canonical(value: unknown): string {
  if (typeof value === 'number') return canonicalNumber(String(value));
  if (typeof value === 'string') {
    return value.startsWith('\0') ? canonicalNumber(value.slice(1)) : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = value as Record<string, unknown>;
  const members = Object.keys(fields)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`);
  return `{${members.join()}}`;
}

/** Digits without zeros at either end, and the power of ten behind them. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', direction = '', power = '0'] =
    NUMBER.exec(text) ?? [];
  if (power.length > MAX_EXPONENT_DIGITS) return text;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZerosAtTheEnd(digits);
  if (significant === '') return '0';
  const exponent =
    Number(`${direction}${power}`) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}

/** A regular expression would take quadratic time. */
function withoutZerosAtTheEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
