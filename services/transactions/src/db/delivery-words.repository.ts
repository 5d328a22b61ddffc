import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';

/** The word of a transaction and how often it was tried and sent. */
export interface DeliveryWord {
  /** Sealed for the purpose 'delivery word'. */
  sealed: Buffer;
  /** Messages with it, the first included. */
  sends: number;
  /** Wrong words since this word was made. */
  wrongChecks: number;
  /** Wrong words for this transaction, until ops resets them. */
  wrongChecksInAll: number;
  /** Whether the wholesaler changed the phone since the word was sent: then the word is void. */
  isVoid: boolean;
}

/**
 * The word of a transaction, undefined when it has none. Call it with the transaction's row locked:
 * that lock prevents parallel tries from exceeding the limits.
 */
export function findDeliveryWord(
  tx: Db,
  { id: transactionId, phoneChanges }: { id: string; phoneChanges: number },
): Promise<DeliveryWord | undefined> {
  return queryRow<DeliveryWord>(
    tx,
    `SELECT word_sealed AS sealed, sends, wrong_checks,
            wrong_checks_in_all, phone_changes <> $2 AS "isVoid"
       FROM delivery_words WHERE transaction_id = $1`,
    [transactionId, phoneChanges],
  );
}

export async function countWrongWord(tx: Db, transactionId: string): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words
        SET wrong_checks = wrong_checks + 1, wrong_checks_in_all = wrong_checks_in_all + 1
      WHERE transaction_id = $1`,
    [transactionId],
  );
}

/** Replaces the word, for the current phone. The new word has no wrong tries. */
export async function replaceDeliveryWord(
  tx: Db,
  { id: transactionId, phoneChanges }: { id: string; phoneChanges: number },
  wordSealed: Buffer,
): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words SET word_sealed = $2, wrong_checks = 0, phone_changes = $3
      WHERE transaction_id = $1`,
    [transactionId, wordSealed, phoneChanges],
  );
}

/** With the transaction's row locked. */
export async function countWordSend(tx: Db, transactionId: string): Promise<void> {
  await query(tx, 'UPDATE delivery_words SET sends = sends + 1 WHERE transaction_id = $1', [
    transactionId,
  ]);
}

/** Resets the counts of wrong words and resends of a transaction; the word stays. */
export async function resetDeliveryWordCounts(tx: Db, transactionId: string): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words SET wrong_checks = 0, wrong_checks_in_all = 0, sends = 1
      WHERE transaction_id = $1`,
    [transactionId],
  );
}
