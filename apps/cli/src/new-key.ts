import type { Output } from './output';

/** Printed after a new key. */
export function sayKeyIsShownOnce(out: Output): void {
  out.note('\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.');
}
