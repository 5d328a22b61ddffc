import type { Database, Db, Transaction } from './db/database';
import { query } from './db/query';
import type { Loop } from './loop';

/** An answer, stored byte for byte in the database transaction of its effect (ADR 6). */
export interface StoredAnswer {
  id: Buffer;
  /** SHA-256 of the request's body in its canonical form. */
  requestHash: Buffer;
  status: number;
  body: string;
}

/** Turns a result into the answer to store; undefined if the caller sent no key. */
export type StoreAnswer<Result> = (result: Result) => StoredAnswer | undefined;

/** Writes the answer with the effect. Nothing to do for a request without a key. */
export async function storeAnswer(tx: Db, answer: StoredAnswer | undefined): Promise<void> {
  if (answer === undefined) return;
  const { id, requestHash, status, body } = answer;
  await query(
    tx,
    'INSERT INTO idempotency_keys (id, request_hash, status, body) VALUES ($1, $2, $3, $4)',
    [id, requestHash, status, body],
  );
}

/**
 * Runs the work of an idempotent request in a database transaction that stores the answer to its
 * result too. Once it is committed, its jobs leave at once.
 */
export async function answerInTransaction<Result>(
  { db, relay }: { db: Database; relay: Loop },
  answerOf: StoreAnswer<Result>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction(async (tx) => {
    const made = await work(tx);
    await storeAnswer(tx, answerOf(made));
    return made;
  });
  relay.wake();
  return result;
}
