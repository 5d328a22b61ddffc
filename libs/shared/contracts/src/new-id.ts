import { randomUUID } from 'node:crypto';
import { isUUID } from './class-validator';
import { AppError, type ErrorCode } from './errors';

/** Hexadecimal digits of the milliseconds since 1970 at the head of an id. */
const TIME_DIGITS = 12;
/** The twelve bits after the version count the ids of a millisecond. */
const COUNTER_DIGITS = 3;
const MAX_COUNTER = 0xfff;

let lastTime = 0;
let counter = 0;

/**
 * The id of a new row: a UUID of version 7 (RFC 9562, section 5.7), so that rows which are made one
 * after another lie side by side in an index, however many there are (ADR 42). Ids of one process
 * sort in the order in which they were made: a counter follows the time (section 6.2, method 1), and
 * a millisecond with more ids than it counts borrows from the next. The other 62 bits are random. Do
 * not read times from ids: the database has them.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastTime) [lastTime, counter] = [now, 0];
  else if (counter < MAX_COUNTER) counter += 1;
  else [lastTime, counter] = [lastTime + 1, 0];
  const time = lastTime.toString(16).padStart(TIME_DIGITS, '0');
  const count = counter.toString(16).padStart(COUNTER_DIGITS, '0');
  const random = randomUUID().slice('xxxxxxxx-xxxx-4xxx'.length);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${random}`;
}

/**
 * An id of a path or a body, in lower case.
 * @throws AppError with that code for a malformed id
 */
export function requireId(text: string, notFound: ErrorCode): string {
  if (!isUUID(text)) throw new AppError(notFound);
  return text.toLowerCase();
}
