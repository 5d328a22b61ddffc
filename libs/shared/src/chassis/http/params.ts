import type { Request } from 'express';
import { AppError, type ErrorCode } from '../../contracts/errors';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id of the path. One of the wrong form names nothing: it is the object's own 404. */
export function idParam(req: Request, name: string, notFound: ErrorCode): string {
  const value = textParam(req, name);
  if (!UUID.test(value)) throw new AppError(notFound);
  return value.toLowerCase();
}

/** A text of the path, such as a wholesaler's own id; Postgres knows no text with NUL. */
export function textParam(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`The route has no parameter ${name}`);
  return value.replaceAll('\0', '\u{FFFD}');
}
