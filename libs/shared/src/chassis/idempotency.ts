import type { Db } from './db/query';
import { insertRow } from './db/rows';

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
  if (answer !== undefined) await insertRow(tx, 'idempotency_keys', answer);
}
