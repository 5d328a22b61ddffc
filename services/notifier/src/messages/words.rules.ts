/** What a store may ask for by SMS: no reminders any more, or reminders again. */
export type Word = 'stop' | 'start';

const WORDS = new Map<string, Word>([
  ['ALTO', 'stop'],
  ['BAJA', 'stop'],
  ['ALTA', 'start'],
]);

/**
 * The word that an SMS consists of, in any case and with any punctuation around it. A sentence that has
 * such a word in it asks for nothing: `Ya me dieron de alta`.
 */
export function wordOf(text: string): Word | undefined {
  const letters = text.trim().replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return WORDS.get(letters.toUpperCase());
}
