import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler } from 'express';
import { AppError, ValidationError } from '../../contracts/errors';
import { mayLoseDigits, rememberNumbers } from '../../json-text';
import { checkPlainJson, checkValueCount, DEFAULT_MAX_VALUES } from './plain-json';
import { validInstance, type UnknownFields } from './validation';

/** Largest body of a route that names no limit of its own. */
export const DEFAULT_BODY_LIMIT = '100kb';
/** Callbacks are some twenty short fields. */
const FORM_LIMIT = '16kb';

const bodyHashes = new WeakMap<object, Buffer>();
const EMPTY_BODY_HASH = createHash('sha256').digest();
/** Texts of bodies with metadata whose numbers JSON.parse may change. */
const bodyTexts = new WeakMap<object, string>();

/**
 * Reads a JSON body; the hash of its bytes is kept for Idempotency-Key. The error middleware answers
 * a 4xx for a body that is too long, has too many values or is not in UTF-8.
 * @param limit length, such as '2mb', after decompression
 */
export function jsonBody(limit: string, maxValues: number): RequestHandler[] {
  return [
    express.json({
      limit,
      // Called before the body is parsed.
      verify: (req, _res, bytes, encoding) => {
        // JSON is exchanged in UTF-8 only (RFC 8259, 8.1); UTF-7 and UTF-16 would be miscounted.
        if (encoding !== 'utf-8') throw new ValidationError(['body must be encoded in UTF-8']);
        checkValueCount(bytes, maxValues);
        if (req.headers['idempotency-key'] !== undefined) {
          bodyHashes.set(req, createHash('sha256').update(bytes).digest());
        }
        if (bytes.includes('"metadata"')) keepLongNumbers(req, bytes);
      },
    }),
    checkBody(maxValues),
  ];
}

function keepLongNumbers(req: object, bytes: Buffer): void {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  if (mayLoseDigits(text)) bodyTexts.set(req, text);
}

/** Reads the body of a form post: names with one text each, or several. */
export function formBody(): RequestHandler[] {
  return [
    express.urlencoded({ extended: false, limit: FORM_LIMIT }),
    checkBody(DEFAULT_MAX_VALUES),
  ];
}

function checkBody(maxValues: number): RequestHandler {
  return (req, _res, next) => {
    const hasBody =
      req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
    if (hasBody && req.body === undefined) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
    if (req.body !== undefined) checkPlainJson(req.body, maxValues);
    const text = bodyTexts.get(req);
    if (text !== undefined) rememberNumbers(req.body, text);
    next();
  };
}

/** SHA-256 of the body as it was sent. */
export function bodyHashOf(req: Request): Buffer {
  return bodyHashes.get(req) ?? EMPTY_BODY_HASH;
}

/**
 * The body as an instance of its DTO.
 * @throws ValidationError in the spec's shape, with one text for each problem
 */
export function validBody<T extends object>(
  Body: new () => T,
  req: Request,
  unknownFields: UnknownFields = 'ignore',
): T {
  return validInstance(Body, req.body, unknownFields);
}

/** The query string as an instance of its DTO; unknown parameters are ignored. */
export function validQuery<T extends object>(Query: new () => T, req: Request): T {
  return validInstance(Query, { ...req.query }, 'ignore');
}
