import { query, type Db } from '@fiado/shared/chassis/db/query';

/** The word of a transaction and how often it was tried and sent. */
export interface DeliveryWord {
  /** Sealed for the purpose 'delivery word'. */
  sealed: Buffer;
  /** Wrong words since this word was made. */
  wrongChecks: number;
  /** Wrong words for this transaction, until ops resets them. */
  wrongChecksInAll: number;
}

/**
 * The word of a transaction, undefined when it has none. Call it with the transaction's row locked:
 * that lock is what keeps parallel tries from passing the counts.
 */
export async function findDeliveryWord(
  tx: Db,
  transactionId: string,
): Promise<DeliveryWord | undefined> {
  const [word] = await query<DeliveryWord>(
    tx,
    `SELECT word_sealed AS sealed, wrong_checks AS "wrongChecks",
            wrong_checks_in_all AS "wrongChecksInAll"
       FROM delivery_words WHERE transaction_id = $1`,
    [transactionId],
  );
  return word;
}

/** Counts a wrong word; the new word, where there is one, starts with no wrong words of its own. */
export async function countWrongWord(
  tx: Db,
  transactionId: string,
  newWordSealed: Buffer | undefined,
): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words
        SET wrong_checks_in_all = wrong_checks_in_all + 1,
            wrong_checks = CASE WHEN $2::bytea IS NULL THEN wrong_checks + 1 ELSE 0 END,
            word_sealed = coalesce($2::bytea, word_sealed)
      WHERE transaction_id = $1`,
    [transactionId, newWordSealed ?? null],
  );
}

/** Forgets the wrong words and the resends of a transaction's word; the word stays. */
export async function resetDeliveryWordCounts(tx: Db, transactionId: string): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words SET wrong_checks = 0, wrong_checks_in_all = 0, sends = 1
      WHERE transaction_id = $1`,
    [transactionId],
  );
}
