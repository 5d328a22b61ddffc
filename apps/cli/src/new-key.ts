import type { Output } from './output';

/** A new key has just been printed: says what that means. */
export function sayKeyIsShownOnce(out: Output): void {
  out.note('\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.');
}
