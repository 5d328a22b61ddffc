import { randomInt } from 'node:crypto';
import type { Db } from '@fiado/chassis/db/database';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import type { Context } from '../context';
import { replaceDeliveryWord, type DeliveryWord } from '../db/delivery-words.repository';
import { WORD_PURPOSE } from '../domain/sealing-purposes';
import { WORD_COUNT, WORD_MESSAGE_LIFE_MS, deliveryWordAt } from '../domain/delivery-word';

/** The recipient of a word, and its order. */
export interface WordRecipient {
  id: string;
  cornerStoreId: string;
  wholesalerId: string;
  wholesalerName: string;
  amountCents: number;
  phoneSealed: Buffer;
  now: Date;
}

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
 * The message that repeats the delivery word; the word is replaced if the phone was
 * changed since it was sent. With the transaction's row locked.
 */
export async function repeatDeliveryWord(
  context: Context,
  tx: Db,
  transaction: WordRecipient & { phoneChanges: number },
  { sealed, isVoid }: DeliveryWord,
): Promise<OutboxRow[]> {
  if (!isVoid) {
    const word = openDeliveryWord(context, transaction.id, sealed);
    return deliveryWordMessage(context, transaction, word);
  }
  const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
  await replaceDeliveryWord(tx, transaction, wordSealed);
  return jobs;
}

function deliveryWordMessage(
  { sealer }: Context,
  { id, cornerStoreId, wholesalerId, wholesalerName, amountCents, phoneSealed, now }: WordRecipient,
  word: string,
): OutboxRow[] {
  return smsRows(sealer, {
    template: 'delivery-word',
    phone: sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
    values: { word, wholesaler: wholesalerName, amountCents },
    wholesalerId,
    subjectId: id,
    expiresAt: new Date(now.getTime() + WORD_MESSAGE_LIFE_MS),
  });
}

/** The word itself, for comparison. */
export function openDeliveryWord(
  { sealer }: Context,
  transactionId: string,
  wordSealed: Buffer,
): string {
  return sealer.open(wordSealed, WORD_PURPOSE, transactionId);
}
