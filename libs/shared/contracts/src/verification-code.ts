const SIX_DIGITS = /^\d{6}$/;

/** Characters that people and keyboards put between digits: white space, hyphens of any kind, invisible marks. */
const BETWEEN_DIGITS = /[\s\p{Pd}\p{Cf}]/gu;

/**
 * The six digits of a code as a person typed it: `123 456`, `123-456` and `１２３４５６` are 123456.
 * @returns undefined for a text that cannot be a code
 */
export function codeIn(text: string): string | undefined {
  const digits = text.normalize('NFKC').replace(BETWEEN_DIGITS, '');
  return SIX_DIGITS.test(digits) ? digits : undefined;
}
