import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import { countWordSend, findDeliveryWord } from '../db/delivery-words.repository';
import { lockTransaction } from '../db/transactions.repository';
import { MAX_WORD_SENDS, WORD_MESSAGE_LIFE_MS } from '../domain/delivery-word';
import { repeatDeliveryWord } from '../steps/delivery-word-message';
import { requireFitsPhoneHold } from '../steps/fits-phone-hold';
import { requireOnHold } from '../steps/require-on-hold';

/**
 * Sends the delivery word of an order on hold again (resendDeliveryWord), five times in all;
 * replaces a void word.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD, DELIVERY_WORD_NOT_FOUND,
 * TOO_MANY_ATTEMPTS
 */
export async function resendDeliveryWord(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const { phoneSealed, cornerStoreId } = await requireOnHold(context, {
    wholesalerId,
    transactionId,
  });
  // Called outside the database transaction; its checks still come first.
  const hasBudget = await hasSmsBudget(context, {
    template: 'delivery-word',
    phone: context.sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
    wholesalerId,
    lifeMs: WORD_MESSAGE_LIFE_MS,
  });

  await answerInTransaction(context, answerOf, async (tx) => {
    const transaction = await lockTransaction(tx, wholesalerId, transactionId);
    if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    if (transaction.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');

    const word = await findDeliveryWord(tx, transaction);
    if (word === undefined) throw new AppError('DELIVERY_WORD_NOT_FOUND');
    await requireFitsPhoneHold(tx, transaction);
    if (word.sends >= MAX_WORD_SENDS || !hasBudget) throw new AppError('TOO_MANY_ATTEMPTS');
    await countWordSend(tx, transactionId);
    await appendToOutbox(tx, await repeatDeliveryWord(context, tx, transaction, word));
  });
}
