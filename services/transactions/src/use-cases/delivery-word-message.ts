import { randomInt } from 'node:crypto';
import type { OutboxRow } from '@fiado/shared/chassis/outbox/append';
import { PHONE_PURPOSE, smsRows } from '@fiado/shared/contracts/jobs/send-message';
import type { Context } from '../context';
import { WORD_COUNT, WORD_MESSAGE_LIFE_MS, deliveryWordAt } from '../domain/delivery-word';

const WORD_PURPOSE = 'delivery word';

/** Who gets a word, and for what. */
export interface WordRecipient {
  id: string;
  wholesalerId: string;
  wholesalerName: string;
  phoneSealed: Buffer;
  now: Date;
}

/** Draws a word for a transaction: how it rests, and the message that tells it. */
export function drawDeliveryWord(
  context: Context,
  recipient: WordRecipient,
): { wordSealed: Buffer; jobs: OutboxRow[] } {
  const word = deliveryWordAt(randomInt(WORD_COUNT));
  const wordSealed = context.sealer.seal(word, WORD_PURPOSE);
  return { wordSealed, jobs: deliveryWordMessage(context, recipient, word) };
}

/** The message that tells a transaction its word, for the first time or again. */
export function deliveryWordMessage(
  { sealer }: Context,
  { id, wholesalerId, wholesalerName, phoneSealed, now }: WordRecipient,
  word: string,
): OutboxRow[] {
  return smsRows(sealer, {
    template: 'delivery-word',
    phone: sealer.open(phoneSealed, PHONE_PURPOSE),
    values: { word, wholesaler: wholesalerName },
    wholesalerId,
    subjectId: id,
    expiresAt: new Date(now.getTime() + WORD_MESSAGE_LIFE_MS),
  });
}

/** The word itself, to compare with what was told or to tell it again. */
export function openDeliveryWord({ sealer }: Context, wordSealed: Buffer): string {
  return sealer.open(wordSealed, WORD_PURPOSE);
}
