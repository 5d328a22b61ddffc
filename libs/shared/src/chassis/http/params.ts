import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { AppError, type ErrorCode } from '../../contracts/errors';

/** An id of the path. One of the wrong form names nothing: it is the object's own 404. */
export function idParam(req: Request, name: string, notFound: ErrorCode): string {
  return requireId(textParam(req, name), notFound);
}

/**
 * An id of a path or a body, in lower case.
 * @throws AppError with that code for an id of the wrong form: it names nothing
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
