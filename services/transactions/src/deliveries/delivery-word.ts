import { randomInt } from 'node:crypto';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { appendToOutbox, type OutboxRow } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import { fitsPhoneHold } from '../credit-lines/phone-hold.sql';
import { WORD_PURPOSE } from '../orders/order.rules';
import { lockOrder, type OrderOfCustomer } from '../orders/order.sql';
import {
  deliveryWordAt,
  isSameWord,
  MAX_WRONG_WORDS,
  MAX_WRONG_WORDS_IN_ALL,
  WORD_COUNT,
  WORD_MESSAGE_LIFE_MS,
} from './delivery.rules';

/**
 * Compares the word that the driver entered with the order's. A wrong word is counted and
 * committed before the database transaction of the delivery. Every fifth wrong word replaces the
 * word and sends the new one, unless the phone's hold forbids it; this SMS does not count as a resend.
 * After twenty wrong words, no word is checked until ops resets the counts.
 * @throws AppError DELIVERY_WORD_NOT_VALID, also when the order has no word;
 * TOO_MANY_ATTEMPTS; TRANSACTION_IS_NOT_IN_HOLD
 */
export async function checkDeliveryWord(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
  given: string,
): Promise<void> {
  const refusal = await context.db.transaction(async (tx): Promise<ErrorCode | undefined> => {
    const order = await lockOrder(tx, wholesalerId, transactionId);
    if (order?.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
    const word = await findDeliveryWord(tx, order);
    if (word === undefined) return 'DELIVERY_WORD_NOT_VALID';
    if (word.wrongChecksInAll >= MAX_WRONG_WORDS_IN_ALL) return 'TOO_MANY_ATTEMPTS';
    const isRight = isSameWord(given, openDeliveryWord(context, transactionId, word.sealed));
    if (isRight && !word.isVoid) return undefined;

    await countWrongWord(tx, transactionId);
    const isUsedUp = word.wrongChecks + 1 >= MAX_WRONG_WORDS;
    if (isUsedUp && (await fitsPhoneHold(tx, order))) {
      const { wordSealed, jobs } = drawDeliveryWord(context, order);
      await replaceDeliveryWord(tx, order, wordSealed);
      await appendToOutbox(tx, jobs);
    }
    return 'DELIVERY_WORD_NOT_VALID';
  });
  if (refusal === undefined) return;
  throw new AppError(
    refusal,
    refusal === 'TOO_MANY_ATTEMPTS' ? { message: 'Too many wrong delivery words were tried' } : {},
  );
}

/** An order, and the recipient of its word. */
type WordRecipient = Omit<OrderOfCustomer, 'status' | 'phoneChanges' | 'isPhoneHeld'>;

/** Draws a delivery word: its stored form, and the message that contains it. */
export function drawDeliveryWord(
  context: Context,
  recipient: WordRecipient,
): { wordSealed: Buffer; jobs: OutboxRow[] } {
  const word = deliveryWordAt(randomInt(WORD_COUNT));
  const wordSealed = context.sealer.seal(word, WORD_PURPOSE, recipient.id);
  return { wordSealed, jobs: deliveryWordMessage(context, recipient, word) };
}

/**
 * The message that repeats the delivery word; the word is replaced if the phone was changed since it was sent. Call it
 * with the order locked.
 */
export async function repeatDeliveryWord(
  context: Context,
  tx: Db,
  order: WordRecipient & { phoneChanges: number },
  { sealed, isVoid }: DeliveryWord,
): Promise<OutboxRow[]> {
  if (!isVoid) {
    const word = openDeliveryWord(context, order.id, sealed);
    return deliveryWordMessage(context, order, word);
  }
  const { wordSealed, jobs } = drawDeliveryWord(context, order);
  await replaceDeliveryWord(tx, order, wordSealed);
  return jobs;
}

function deliveryWordMessage(
  { sealer }: Context,
  { id, cornerStoreId, wholesalerId, phoneSealed, phoneUnprovenBy, ...order }: WordRecipient,
  word: string,
): OutboxRow[] {
  return smsRows(sealer, {
    template: 'delivery-word',
    phone: sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
    unprovenBy: phoneUnprovenBy,
    values: { word, wholesaler: order.wholesalerName, amountCents: order.amountCents },
    wholesalerId,
    subjectId: id,
    expiresAt: new Date(order.now.getTime() + WORD_MESSAGE_LIFE_MS),
  });
}

/** The word in clear text. */
export function openDeliveryWord(
  { sealer }: Context,
  transactionId: string,
  wordSealed: Buffer,
): string {
  return sealer.open(wordSealed, WORD_PURPOSE, transactionId);
}

/** The word of an order and how often it was tried and sent. */
interface DeliveryWord {
  /** Sealed for the purpose 'delivery word'. */
  sealed: Buffer;
  /** Messages with it, the first included. */
  sends: number;
  /** Wrong words since this word was made. */
  wrongChecks: number;
  /** Wrong words for this order, until ops resets them. */
  wrongChecksInAll: number;
  /** Whether the wholesaler changed the phone since the word was sent: then the word is void. */
  isVoid: boolean;
}

/**
 * The word of an order, undefined when it has none. Call it with the order locked: the lock prevents parallel tries
 * from exceeding the limits.
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

async function countWrongWord(tx: Db, transactionId: string): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words
        SET wrong_checks = wrong_checks + 1, wrong_checks_in_all = wrong_checks_in_all + 1
      WHERE transaction_id = $1`,
    [transactionId],
  );
}

/** Replaces the word, for the current phone. The new word has no wrong tries. */
async function replaceDeliveryWord(
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
