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
