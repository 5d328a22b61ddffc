const NUMBER = /^(-?)0*(\d+)(?:\.(\d*))?(?:[eE]([+-]?)0*(\d+))?$/;

/** A longer exponent belongs to no number that anybody sends: it is compared as written. */
const MAX_EXPONENT_DIGITS = 15;

/** A number of JSON text that JSON.parse may change: 16 characters long, or a large exponent. */
const LONG_NUMBER = /(?<=[\s:,[])-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;
/** The strings of JSON text, and the numbers outside of them. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** A number that was put into a string. No string of a request holds NUL. */
const KEPT_NUMBER = /"\\u0000(-?[\d.eE+-]+)"/g;

/** The field whose JSON is kept as it was sent. */
const KEPT_FIELD = 'metadata';

/** The text of metadata objects that JSON.stringify would change. */
const texts = new WeakMap<object, string>();

/** Whether JSON.parse may change a number in a JSON text. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/**
 * Remembers the numbers of the metadata in a parsed JSON text as they were written, so that
 * jsonTextOf gives them back: 12345678901234567890 is no JavaScript number.
 * @param json what JSON.parse made of the text
 */
export function rememberNumbers(json: unknown, text: string): void {
  rememberIn(json, numbersAsWritten(text));
}

/** A JSON text, parsed, where a number that JSON.parse would change is its text behind a NUL. */
export function numbersAsWritten(text: string): unknown {
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"\\u0000${token}"`,
  );
  return JSON.parse(marked);
}

function rememberIn(json: unknown, marked: unknown): void {
  if (!isObject(json) || !isObject(marked)) return;
  for (const [name, child] of Object.entries(json)) {
    const markedChild = marked[name];
    if (name !== KEPT_FIELD) rememberIn(child, markedChild);
    else if (isObject(child)) {
      texts.set(child, JSON.stringify(markedChild).replaceAll(KEPT_NUMBER, '$1'));
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The JSON of an object of a request, with the numbers that were sent. */
export function jsonTextOf(value: object): string {
  return texts.get(value) ?? JSON.stringify(value);
}

/** What JsonText puts in its place while stringifyJson runs; no other string holds NUL. */
const PLACE = '\0';
const PLACE_IN_JSON = JSON.stringify(PLACE);
let placed: string[] | undefined;

/** JSON that is stored as text and answered as it is; only stringifyJson keeps all its digits. */
export class JsonText {
  constructor(private readonly text: string) {}

  toJSON(): unknown {
    if (placed === undefined) return JSON.parse(this.text);
    placed.push(this.text);
    return PLACE;
  }
}

/** JSON.stringify for a value that may hold JsonText. */
export function stringifyJson(value: object): string {
  const inserted: string[] = [];
  placed = inserted;
  try {
    const json = JSON.stringify(value);
    let next = 0;
    return inserted.length === 0
      ? json
      : json.replaceAll(PLACE_IN_JSON, () => inserted[next++] ?? 'null');
  } finally {
    placed = undefined;
  }
}

/**
 * One text for all spellings of a JSON text: white space, the order of fields and escapes do not
 * matter, and a number counts by its decimal value: 500.00, 500 and 5e2 are the same, and
 * 12345678901234567890 is not 12345678901234567891. Of two fields of a name the last one counts.
 * @param json what JSON.parse made of the text, without a NUL and not too deep
 * @param nulls whether fields that are null are part of it; in metadata they always are
 */
export function canonicalJson(json: unknown, text: string, nulls: Nulls = 'with nulls'): string {
  return canonical(mayLoseDigits(text) ? numbersAsWritten(text) : json, nulls);
}

type Nulls = 'with nulls' | 'without nulls';

function canonical(value: unknown, nulls: Nulls): string {
  if (typeof value === 'number') return canonicalNumber(String(value));
  if (typeof value === 'string') {
    return value.startsWith('\0') ? canonicalNumber(value.slice(1)) : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, nulls)).join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = value as Record<string, unknown>;
  const members = Object.keys(fields)
    .filter((name) => nulls === 'with nulls' || fields[name] !== null)
    .sort()
    .map((name) => {
      const ofField = name === KEPT_FIELD ? 'with nulls' : nulls;
      return `${JSON.stringify(name)}:${canonical(fields[name], ofField)}`;
    });
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
