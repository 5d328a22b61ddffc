import type { Output } from './output';

/** Prints an answer that holds a new key. */
export function printNewKey(out: Output, answer: object): void {
  out.record(answer);
  out.note('\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.');
}
