import type { Request } from 'express';
import type { ErrorCode } from '@fiado/contracts/errors';
import { requireId } from '@fiado/contracts/new-id';

/**
 * An id of the path, in lower case: from now on it is the parameter. A malformed id answers the same
 * 404 as an unknown one.
 */
export function idParam(req: Request, name: string, notFound: ErrorCode): string {
  return (req.params[name] = requireId(textParam(req, name), notFound));
}

/**
 * The path of a request as most clients write it: with its parameters as they were read, and no
 * slash at its end.
 * @param pattern of its route, such as `/v1/transaction/:transactionId`
 */
export function canonicalPath(req: Request, pattern: string): string {
  return pattern.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(textParam(req, name)),
  );
}

/** A text of the path, such as a wholesaler's own id; Postgres knows no text with NUL. */
export function textParam(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`The route has no parameter ${name}`);
  return value.replaceAll('\0', '\u{FFFD}');
}
