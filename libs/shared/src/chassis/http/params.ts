import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { AppError, type ErrorCode } from '../../contracts/errors';

/** An id of the path. A malformed id answers the same 404 as an unknown one. */
export function idParam(req: Request, name: string, notFound: ErrorCode): string {
  return requireId(textParam(req, name), notFound);
}

/**
 * An id of a path or a body, in lower case.
 * @throws AppError with that code for a malformed id
 */
export function requireId(text: string, notFound: ErrorCode): string {
  if (!isUUID(text)) throw new AppError(notFound);
  return text.toLowerCase();
}

/** A text of the path, such as a wholesaler's own id; Postgres knows no text with NUL. */
export function textParam(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`The route has no parameter ${name}`);
  return value.replaceAll('\0', '\u{FFFD}');
}
