/** The requests that a store may send by SMS: no reminders any more, or reminders again. */
export type Word = 'stop' | 'start';

const WORDS = new Map<string, Word>([
  ['ALTO', 'stop'],
  ['BAJA', 'stop'],
  ['ALTA', 'start'],
]);

/**
 * The only word of an SMS, in upper or lower case, with any punctuation around it. A sentence that contains
 * such a word is no request: `Ya me dieron de alta`.
 */
export function wordOf(text: string): Word | undefined {
  const letters = text.trim().replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return WORDS.get(letters.toUpperCase());
}
