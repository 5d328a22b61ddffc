import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { ValidationError } from '@fiado/contracts/errors';

/** Bytes of a URL or a form that are escaped one after the other, such as `%C3%B1`. */
const ESCAPED_BYTES = /(?:%[\da-f]{2})+/gi;

/**
 * Refuses bytes that are not UTF-8 before they become text: a decoder would replace each of them
 * by U+FFFD, and two different texts could become one.
 * @param what it is called in the problem, such as `body`
 * @throws ValidationError
 */
export function requireUtf8(bytes: Uint8Array, what: string): void {
  if (!isUtf8(bytes)) throw new ValidationError([`${what} must be UTF-8`]);
}

/** The same for escaped bytes. A `%` that escapes nothing stands for itself. */
function requireUtf8Escapes(text: string, what: string): void {
  for (const [escaped] of text.matchAll(ESCAPED_BYTES)) {
    requireUtf8(Buffer.from(escaped.replaceAll('%', ''), 'hex'), what);
  }
}

/** Guard: the path and the query are UTF-8. Node refuses other bytes of a URL that are not escaped. */
export const requireUtf8Url: RequestHandler = (req, _res, next) => {
  const [path = '', ...query] = req.url.split('?');
  requireUtf8Escapes(path, 'path');
  requireUtf8Escapes(query.join('?'), 'query');
  next();
};

/** Reads a form whose text is UTF-8. Another charset is a 415. @param limits in bytes, and of fields */
export function urlencodedForm(limits: { limit: number; parameterLimit?: number }): RequestHandler {
  return express.urlencoded({
    extended: false,
    ...limits,
    verify: (_req, _res, bytes) => {
      requireUtf8(bytes, 'body');
      requireUtf8Escapes(bytes.toString('latin1'), 'body');
    },
  });
}
