import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  countWrongWord,
  findDeliveryWord,
  replaceDeliveryWord,
} from '../db/delivery-words.repository';
import { lockTransaction } from '../db/transactions.repository';
import { MAX_WRONG_WORDS, MAX_WRONG_WORDS_IN_ALL, isSameWord } from '../domain/delivery-word';
import { drawDeliveryWord, openDeliveryWord } from './delivery-word-message';
import { fitsPhoneHold } from './fits-phone-hold';

/**
 * Compares the word that the driver entered with the transaction's. A wrong word is counted and
 * committed before the database transaction of the delivery. Every fifth wrong word replaces the
 * word and sends the new one, unless the phone's hold forbids it; this SMS does not count as a resend. After twenty wrong words, no
 * word is checked until ops resets the counts.
 * @throws AppError DELIVERY_WORD_NOT_VALID, also when the transaction has no word;
 * TOO_MANY_ATTEMPTS; TRANSACTION_IS_NOT_IN_HOLD
 */
export async function checkDeliveryWord(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
  told: string,
): Promise<void> {
  const refusal = await context.db.transaction(async (tx): Promise<ErrorCode | undefined> => {
    const transaction = await lockTransaction(tx, wholesalerId, transactionId);
    if (transaction?.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
    const word = await findDeliveryWord(tx, transaction);
    if (word === undefined) return 'DELIVERY_WORD_NOT_VALID';
    if (word.wrongChecksInAll >= MAX_WRONG_WORDS_IN_ALL) return 'TOO_MANY_ATTEMPTS';
    const isRight = isSameWord(told, openDeliveryWord(context, transactionId, word.sealed));
    if (isRight && !word.isVoid) return undefined;

    await countWrongWord(tx, transactionId);
    const isUsedUp = word.wrongChecks + 1 >= MAX_WRONG_WORDS;
    if (isUsedUp && (await fitsPhoneHold(tx, transaction))) {
      const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
      await replaceDeliveryWord(tx, transaction, wordSealed);
      await appendToOutbox(tx, jobs);
    }
    return 'DELIVERY_WORD_NOT_VALID';
  });
  if (refusal === undefined) return;
  context.relay.wake();
  throw new AppError(
    refusal,
    refusal === 'TOO_MANY_ATTEMPTS' ? { message: 'Too many wrong delivery words were tried' } : {},
  );
}
