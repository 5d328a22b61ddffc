import { query, type Db } from './db/query';

/** An answer, stored byte for byte in the database transaction of its effect. */
export interface StoredAnswer {
  id: Buffer;
  requestHash: Buffer;
  status: number;
  body: string;
}

/** Turns a result into the answer to store; undefined if the caller sent no key. */
export type StoreAnswer<Result> = (result: Result) => StoredAnswer | undefined;

/** Writes the answer beside the effect. Nothing to do for a request without a key. */
export async function storeAnswer(tx: Db, answer: StoredAnswer | undefined): Promise<void> {
  if (answer === undefined) return;
  await query(
    tx,
    'INSERT INTO idempotency_keys (id, request_hash, status, body) VALUES ($1, $2, $3, $4)',
    [answer.id, answer.requestHash, answer.status, answer.body],
  );
}
