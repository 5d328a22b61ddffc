import { query } from '@fiado/shared/chassis/db/query';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import type { TransactionToDeliver } from '../db/transactions.repository';
import { MAX_WRONG_WORDS, isSameWord } from '../domain/delivery-word';
import { drawDeliveryWord, openDeliveryWord } from './delivery-word-message';

/**
 * Compares what the driver was told with the transaction's word. A wrong try is counted and stays
 * counted: this commits by itself, before the delivery's own database transaction. The fifth wrong
 * one replaces the word and sends the new one.
 * @throws AppError DELIVERY_WORD_NOT_VALID, also when the transaction has no word
 */
export async function checkDeliveryWord(
  context: Context,
  transaction: TransactionToDeliver,
  told: string,
): Promise<void> {
  const right = await context.db.transaction(async (tx) => {
    const [word] = await query<{ sealed: Buffer; wrongChecks: number }>(
      tx,
      `SELECT word_sealed AS sealed, wrong_checks AS "wrongChecks"
         FROM delivery_words WHERE transaction_id = $1 FOR UPDATE`,
      [transaction.id],
    );
    if (word === undefined) return false;
    if (isSameWord(told, openDeliveryWord(context, word.sealed))) return true;

    if (word.wrongChecks + 1 < MAX_WRONG_WORDS) {
      await query(
        tx,
        'UPDATE delivery_words SET wrong_checks = wrong_checks + 1 WHERE transaction_id = $1',
        [transaction.id],
      );
      return false;
    }
    const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
    await query(
      tx,
      'UPDATE delivery_words SET wrong_checks = 0, word_sealed = $2 WHERE transaction_id = $1',
      [transaction.id, wordSealed],
    );
    await appendToOutbox(tx, jobs);
    return false;
  });
  if (right) return;
  context.relay.wake();
  throw new AppError('DELIVERY_WORD_NOT_VALID');
}
