import { randomUUID } from 'node:crypto';
import { isUUID } from 'class-validator';
import { AppError, type ErrorCode } from './errors';

/** Hexadecimal digits of the milliseconds since 1970 at the head of an id. */
const TIME_DIGITS = 12;

/**
 * The id of a new row: a UUID of version 7 (RFC 9562, section 5.7), so that rows which are made one
 * after another lie side by side in an index, however many there are (ADR 42). It is a random UUID
 * whose head is the time. Do not read times from ids: the database has them.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  const random = randomUUID().slice('xxxxxxxx-xxxx-4'.length);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
}

/**
 * An id of a path or a body, in lower case.
 * @throws AppError with that code for a malformed id
 */
export function requireId(text: string, notFound: ErrorCode): string {
  if (!isUUID(text)) throw new AppError(notFound);
  return text.toLowerCase();
}
