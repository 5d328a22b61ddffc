import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { foldKey } from '@fiado/contracts/fold-key';
import { stringifyJson } from '@fiado/contracts/json-text';
import type { Database } from '../db/database';
import { isLockTimeout, isUniqueViolation } from '../db/errors';
import { query, repeatAfterDeadlock } from '../db/query';
import type { StoreAnswer } from '../idempotency';
import type { Sealer } from '../keys/sealing';
import { bodyHashOf, repeatsBody } from './body';
import { callerOf } from './caller';
import { canonicalPath } from './request';
import { requireUtf8 } from './utf8';

/** draft-ietf-httpapi-idempotency-key-header sets no limit. */
const MAX_KEY_LENGTH = 255;
/** How long a duplicate request waits for the first one: less than the gateway's deadline. */
const MAX_WAIT_MS = 5_000;
/** Long enough to insert a row, in milliseconds. A request in progress holds its key for longer. */
const KEY_PROBE_MS = 50;
/** The purpose for which stored answers are sealed. */
const ANSWER_PURPOSE = 'kept answer';

export interface Answering<Result> {
  /** Path of the route, such as `/v1/transaction/:transactionId`. */
  path: string;
  answer: (result: Result) => { status: number; body: object };
  /** Headers of the answer; a replay has none of them. */
  headers: (result: Result) => Record<string, string>;
  /** Encrypts the stored answer if it holds a secret, such as a link that needs no credential. */
  sealer?: Sealer | undefined;
  /** The use case; it stores `answerOf(result)` in the database transaction of its effect. */
  work: (answerOf: StoreAnswer<Result>) => Promise<Result>;
}

/** Requests with a key in this process. A duplicate waits here without a database connection. */
const running = new Map<string, Promise<unknown>>();

/**
 * Answers a request whose effect must happen once. Without an Idempotency-Key the work simply runs.
 * With one, the row of the key is written together with the effect. Of two equal requests, one
 * violates the primary key, rolls back, and returns the answer of the other.
 */
export async function answerOnce<Result>(
  db: Database,
  req: Request,
  res: Response,
  { path, answer, headers, sealer, work }: Answering<Result>,
): Promise<void> {
  const send = (result: Result): void => {
    const { status, body } = answer(result);
    sendJson(res.set(headers(result)).status(status), body);
  };
  const key = keyOf(req);
  if (key === undefined) {
    send(await repeatAfterDeadlock(() => work(() => undefined)));
    return;
  }
  const id = idOf(req, canonicalPath(req, path), key);
  const requestHash = bodyHashOf(req);
  const request = { id, sealer };
  const waited = await waitForDuplicate(id.toString('hex'));
  if (waited && (await replay(db, request, req, res))) return;

  const answerOf: StoreAnswer<Result> = (result) => {
    const { status, body } = answer(result);
    return { id, requestHash, status, body: sealed(stringifyJson(body), id, sealer) };
  };
  const effect = repeatAfterDeadlock(() => work(answerOf));
  running.set(id.toString('hex'), effect);
  try {
    send(await effect);
  } catch (error) {
    // The request may be refused only because the first one already succeeded.
    if (await replay(db, request, req, res)) return;
    const isDuplicateRunning =
      isUniqueViolation(error, 'idempotency_keys_pkey') ||
      (isLockTimeout(error) && (await isKeyHeld(db, id)));
    if (isDuplicateRunning) {
      throw new AppError('IDEMPOTENCY_CONFLICT', { retryAfterSeconds: 1 });
    }
    throw error;
  } finally {
    running.delete(id.toString('hex'));
  }
}

/**
 * Whether another database transaction is about to store an answer under this key. Called after a
 * lock time-out, because the lock may also belong to a business row. The row inserted here is
 * deleted before anybody sees it.
 */
async function isKeyHeld(db: Database, id: Buffer): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await query(tx, `SET LOCAL lock_timeout = ${KEY_PROBE_MS}`);
      await query(
        tx,
        `INSERT INTO idempotency_keys (id, request_hash, status, body) VALUES ($1, '', 0, '')`,
        [id],
      );
      await query(tx, 'DELETE FROM idempotency_keys WHERE id = $1', [id]);
    });
    return false;
  } catch (error) {
    if (isLockTimeout(error) || isUniqueViolation(error, 'idempotency_keys_pkey')) return true;
    throw error;
  }
}

function keyOf(req: Request): string | undefined {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    throw new ValidationError([`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} characters`]);
  }
  // Node reads the bytes of a header as Latin-1.
  const bytes = Buffer.from(key, 'latin1');
  requireUtf8(bytes, 'Idempotency-Key');
  const folded = foldKey(bytes.toString());
  if (folded === '') {
    throw new ValidationError(['Idempotency-Key must have a visible character']);
  }
  return Buffer.from(folded).toString('latin1');
}

/** A key, however it is spelled, counts for one caller, operation and object. The method and the path name the last two. */
function idOf(req: Request, path: string, key: string): Buffer {
  const { kind, id } = callerOf(req);
  return createHash('sha256').update([kind, id, req.method, path, key].join('\n')).digest();
}

function sealed(body: string, id: Buffer, sealer: Sealer | undefined): string {
  if (sealer === undefined) return body;
  return sealer.seal(body, ANSWER_PURPOSE, id.toString('hex')).toString('base64');
}

function unsealed(body: string, id: Buffer, sealer: Sealer | undefined): string {
  if (sealer === undefined) return body;
  return sealer.open(Buffer.from(body, 'base64'), ANSWER_PURPOSE, id.toString('hex'));
}

async function waitForDuplicate(id: string): Promise<boolean> {
  const deadline = Date.now() + MAX_WAIT_MS;
  let duplicate = running.get(id);
  if (duplicate === undefined) return false;
  for (; duplicate !== undefined; duplicate = running.get(id)) {
    const left = deadline - Date.now();
    if (left <= 0) throw new AppError('IDEMPOTENCY_CONFLICT', { retryAfterSeconds: 1 });
    await Promise.race([duplicate.catch(() => undefined), sleep(left, undefined, { ref: false })]);
    // The duplicate leaves the map in a later microtask than the one that resumes this one.
    await sleep(0);
  }
  return true;
}

async function replay(
  db: Database,
  { id, sealer }: { id: Buffer; sealer: Sealer | undefined },
  req: Request,
  res: Response,
): Promise<boolean> {
  const [kept] = await query<{ requestHash: Buffer; status: number; body: string }>(
    db,
    'SELECT request_hash, status, body FROM idempotency_keys WHERE id = $1',
    [id],
  );
  if (kept === undefined) return false;
  if (!repeatsBody(req, kept.requestHash)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  res.setHeader('Idempotent-Replayed', 'true');
  res
    .status(kept.status)
    .type('json')
    .send(unsealed(kept.body, id, sealer));
  return true;
}

/** Answers with a value that may hold JsonText, such as a transaction's metadata. */
export function sendJson(res: Response, value: object): void {
  res.type('json').send(stringifyJson(value));
}
