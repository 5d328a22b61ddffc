import { query } from '@fiado/shared/chassis/db/query';
import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { lockTransactionToDeliver } from '../db/transactions.repository';
import { MAX_WORD_SENDS } from '../domain/delivery-word';
import { deliveryWordMessage, openDeliveryWord } from './delivery-word-message';

export interface ResendDeliveryWord {
  wholesalerId: string;
  transactionId: string;
}

/**
 * Sends the delivery word of an order on hold again (spec e13), five times in all.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD, DELIVERY_WORD_NOT_FOUND,
 *   TOO_MANY_ATTEMPTS
 */
export async function resendDeliveryWord(
  context: Context,
  { wholesalerId, transactionId }: ResendDeliveryWord,
  keep: Keep<void>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const transaction = await lockTransactionToDeliver(tx, wholesalerId, transactionId);
    if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    if (transaction.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');

    const [word] = await query<{ sealed: Buffer; sends: number }>(
      tx,
      `UPDATE delivery_words SET sends = sends + 1 WHERE transaction_id = $1
       RETURNING word_sealed AS sealed, sends`,
      [transactionId],
    );
    if (word === undefined) throw new AppError('DELIVERY_WORD_NOT_FOUND');
    if (word.sends > MAX_WORD_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');
    const told = openDeliveryWord(context, word.sealed);
    await appendToOutbox(tx, deliveryWordMessage(context, transaction, told));
    await storeAnswer(tx, keep());
  });
  context.relay.wake();
}
