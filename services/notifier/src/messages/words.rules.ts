/** The requests that a store may send by SMS: no reminders any more, or reminders again. */
export type Word = 'stop' | 'start';

const WORDS = new Map<string, Word>([
  ['ALTO', 'stop'],
  ['BAJA', 'stop'],
  ['ALTA', 'start'],
]);

/** What says that a delivered order is not the store's. */
const DENIALS = ['NO', 'NO ES MIO', 'NO ES MIA', 'NO RECONOZCO', 'NO LO RECONOZCO'];

/** Whether an SMS denies an order, and the number of the order that it names. */
export interface Denial {
  choice?: number;
}

/**
 * The denial that is all of an SMS: NO, NO ES MIO, NO RECONOZCO, and NO 1 for a choice, with any capitals, accents and
 * punctuation. A sentence that begins so is none: `No puedo pagar hoy`.
 */
export function denialOf(text: string): Denial | undefined {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const [, said = '', number] = /^(\D*?)(?: ?(\d))?$/.exec(words) ?? [];
  if (!DENIALS.includes(said)) return undefined;
  return number === undefined || number === '0' ? {} : { choice: Number(number) };
}

/**
 * The only word of an SMS, in upper or lower case, with any punctuation around it. A sentence that contains
 * such a word is no request: `Ya me dieron de alta`.
 */
export function wordOf(text: string): Word | undefined {
  const letters = text.trim().replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return WORDS.get(letters.toUpperCase());
}
