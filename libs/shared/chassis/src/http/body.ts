import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { DEFAULT_MAX_VALUES } from '@fiado/contracts/body-limits';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { canonicalJson, mayLoseDigits, rememberNumbers } from '@fiado/contracts/json-text';
import { nextTurn } from '../turns';
import { validInstance } from '../validation';
import { callerOf } from './caller';
import { checkPlainJson, checkValueCount } from './plain-json';
import { requireUtf8, urlencodedForm } from './utf8';

/** Callbacks are some twenty short fields. In bytes; no more than MAX_IGNORED_BODY_LENGTH. */
const FORM_LIMIT = 16 * 1024;

/** SHA-256 of a body in its canonical form, which all its spellings have in common. */
interface BodyHashes {
  whole: Buffer;
  /** Without the fields that are null. */
  withoutNulls: Buffer;
}

const bodyHashes = new WeakMap<object, BodyHashes>();

/** A request without a body counts as one with an empty object. */
const NO_BODY_HASH = sha256('{}');

/** JSON is exchanged in UTF-8 only (RFC 8259, 8.1); UTF-7 and UTF-16 would be miscounted. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Reads a JSON body; its hash is kept for Idempotency-Key. The error middleware
 * answers a 4xx for a body that is too long, compressed, not in UTF-8 or has too many values.
 * Behind allowCallers. A large body is processed in pieces (turns.ts).
 * @param limit in bytes
 */
export function jsonBody(limit: number, maxValues: number): RequestHandler[] {
  return [
    // A compressed body could expand beyond the gateway's limits.
    express.raw({ type: 'application/json', limit, inflate: false }),
    async (req, res, next) => {
      const bytes: unknown = req.body;
      if (!Buffer.isBuffer(bytes)) {
        refuseOtherTypes(req);
        next();
        return;
      }
      if (isLarge(bytes)) {
        const caller = callerOf(req);
        // A body of few values, such as an image, costs little after parsing.
        if (maxValues >= DEFAULT_MAX_VALUES) await takePlace(caller, res);
        await parseBody(req, bytes, maxValues, turnsOf(caller));
      } else {
        await parseBody(req, bytes, maxValues);
      }
      next();
    },
  ];
}

async function parseBody(
  req: Request,
  bytes: Buffer,
  maxValues: number,
  turn?: () => Promise<void>,
): Promise<void> {
  const charset = CHARSET.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  }
  await turn?.();
  requireUtf8(bytes, 'body');
  const marks = checkValueCount(bytes, maxValues);
  await turn?.();
  const text = bytes.toString().replace(BYTE_ORDER_MARK, '');
  req.body = parseJson(text);
  await turn?.();
  checkPlainJson(req.body, maxValues, marks);
  if (req.headers['idempotency-key'] !== undefined) {
    await turn?.();
    const whole = sha256(canonicalJson(req.body, text));
    const withoutNulls = text.includes('null')
      ? sha256(canonicalJson(req.body, text, 'without nulls'))
      : whole;
    bodyHashes.set(req, { whole, withoutNulls });
  }
  if (text.includes('"metadata"')) {
    await turn?.();
    if (mayLoseDigits(text)) rememberNumbers(req.body, text);
  }
  // The handler continues by validating it.
  await turn?.();
}

/** @throws AppError INVALID_JSON, also for JSON that is no object or array */
function parseJson(text: string): unknown {
  if (text === '') return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AppError('INVALID_JSON', { cause: error });
  }
  if (typeof json !== 'object' || json === null) throw new AppError('INVALID_JSON');
  return json;
}

/** Reads the body of a form post: names with one text each, or several. */
export function formBody(): RequestHandler[] {
  return [
    urlencodedForm({ limit: FORM_LIMIT }),
    (req, _res, next) => {
      if (req.body === undefined) refuseOtherTypes(req);
      else checkPlainJson(req.body, DEFAULT_MAX_VALUES);
      next();
    },
  ];
}

/**
 * Leaves a JSON body as the bytes that were sent, for a sender that signs them.
 * @param limit in bytes
 */
export function signedBody(limit: number): RequestHandler[] {
  return [
    express.raw({ type: 'application/json', limit, inflate: false }),
    (req, _res, next) => {
      if (!Buffer.isBuffer(req.body)) refuseOtherTypes(req);
      next();
    },
  ];
}

function refuseOtherTypes(req: Request): void {
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
  if (hasBody) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
}

export function bodyHashOf(req: Request): Buffer {
  return bodyHashes.get(req)?.whole ?? NO_BODY_HASH;
}

/** Whether the request repeats one with that hash: fields that are null count as absent, and may be added. */
export function repeatsBody(req: Request, hash: Buffer): boolean {
  return bodyHashOf(req).equals(hash) || bodyHashes.get(req)?.withoutNulls.equals(hash) === true;
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/**
 * The body as an instance of its DTO.
 * @throws ValidationError in the spec's shape, with one text for each problem
 */
export function validBody<T extends object>(Body: new () => T, req: Request): T {
  return validInstance(Body, req.body, 'ignore');
}

/** In bytes. A shorter body is parsed and validated in less than a millisecond. */
const LARGE_BODY_BYTES = 16 * 1024;

/**
 * Requests with a large body that this process handles at a time for one caller. One caller's
 * batches thus hold 2 of the 12 database connections. The others wait in order.
 */
const MAX_AT_ONCE = 2;

/**
 * Less than half of the gateway's deadline of 10 s: a longer wait would count as a failure for the
 * circuit breaker, which all callers share.
 */
const MAX_WAIT_MS = 4_000;

const RETRY_AFTER_SECONDS = 2;

const placesOfCaller = new Map<string, Places>();

interface Places {
  taken: number;
  /** Each takes the slot of a request that ended. */
  waiting: Set<() => void>;
}

function isLarge(body: Buffer): boolean {
  return body.length > LARGE_BODY_BYTES;
}

/** Waits for the caller's turn to process one piece of its body. */
function turnsOf({ id }: Caller): () => Promise<void> {
  return () => nextTurn(id);
}

/**
 * Waits until a request with a large body may be handled. A caller with large bodies waits only for
 * its own requests. If the caller disconnects meanwhile, the promise never resolves.
 * @throws AppError RATE_LIMIT_EXCEEDED after MAX_WAIT_MS
 */
export function takePlace({ kind, id }: Caller, res: Response): Promise<void> {
  // A service calls for many tenants, each of which has already waited there.
  if (kind === 'service') return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (res.closed) return;
    const places = placesOfCaller.get(id) ?? { taken: 0, waiting: new Set() };
    placesOfCaller.set(id, places);
    const take = (): void => {
      clearTimeout(patience);
      places.waiting.delete(take);
      places.taken += 1;
      res.once('close', () => {
        places.taken -= 1;
        const [next] = places.waiting;
        if (next !== undefined) next();
        else if (places.taken === 0) placesOfCaller.delete(id);
      });
      resolve();
    };
    const patience = setTimeout(() => {
      places.waiting.delete(take);
      reject(new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, MAX_WAIT_MS);
    if (places.taken < MAX_AT_ONCE) {
      take();
      return;
    }
    places.waiting.add(take);
    res.once('close', () => {
      clearTimeout(patience);
      places.waiting.delete(take);
    });
  });
}
