type Range = readonly [first: number, last: number];

/** Unicode's White_Space: spaces of all widths, line ends and tabs. */
const WHITE_SPACE: Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/**
 * Unicode's Default_Ignorable_Code_Point: marks that no font shows, among them those of the direction
 * of a text. Written out, so that every version of Node and of Postgres removes the same.
 */
const INVISIBLE: Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Printable ASCII without spaces: nearly every key, which is folded already. */
const FOLDED = /^[!-~]*$/;
const INVISIBLE_MARKS = new RegExp(
  `[${INVISIBLE.map(([first, last]) => `\\u{${hex(first, 4)}}-\\u{${hex(last, 4)}}`).join('')}]`,
  'gu',
);
const SPACES = new Set(
  WHITE_SPACE.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, place) => first + place),
  ),
);

/**
 * The form in which two spellings of a key are compared: NFC, without white space around it and without invisible
 * marks. Nothing else is folded: capitals, zeros, hyphens and inner spaces may tell two payments or two orders apart.
 * SQL has the same function, `fold_key` (CREATE_FOLD_KEY).
 */
export function foldKey(text: string): string {
  if (FOLDED.test(text)) return text;
  const plain = text.replace(INVISIBLE_MARKS, '').normalize('NFC');
  let first = 0;
  let end = plain.length;
  // A regular expression would take quadratic time for a long text of spaces.
  while (first < end && SPACES.has(plain.charCodeAt(first))) first += 1;
  while (end > first && SPACES.has(plain.charCodeAt(end - 1))) end -= 1;
  return plain.slice(first, end);
}

/** The invisible marks as a bracket expression of a regular expression of Postgres. */
const INVISIBLE_IN_SQL = `[${INVISIBLE.map(
  ([first, last]) => `\\U${hex(first, 8)}-\\U${hex(last, 8)}`,
).join('')}]`;
/** The white space, as the inside of a string of Postgres with escapes. */
const SPACES_IN_SQL = [...SPACES].map((code) => `\\u${hex(code, 4)}`).join('');

const FOLDED_IN_SQL = `btrim(
      normalize(regexp_replace(key, '${INVISIBLE_IN_SQL}', '', 'g'), NFC),
      E'${SPACES_IN_SQL}')`;

/** SQL of the function `fold_key`, which folds as foldKey does. For a migration of each schema. */
export const CREATE_FOLD_KEY = `
  CREATE FUNCTION fold_key(key text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ${FOLDED_IN_SQL}`;

/**
 * SQL of the same function with a cost. PostgreSQL inlines a function in SQL, and counts its parts as cheap. In a table of
 * some hundred rows an index of the wholesaler alone then seems as good as the one of the folded key, and a session keeps
 * such a plan until the table is analyzed. At this cost, to fold one row costs more than to read any page.
 */
export const FOLD_KEY_WITH_COST = `
  CREATE OR REPLACE FUNCTION fold_key(key text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000
    AS $$ BEGIN RETURN ${FOLDED_IN_SQL}; END $$`;
