import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { requireMayGetCodes } from '../credit-lines/phone-hold.sql';
import { lockOnHold, requireOnHold } from '../orders/order.sql';
import { findDeliveryWord, repeatDeliveryWord } from './delivery-word';
import { MAX_WORD_SENDS, WORD_MESSAGE_LIFE_MS } from './delivery.rules';

/** The spec's answer to success carries its text in a field named errorMessage. */
const sent = { errorMessage: 'The delivery word was sent' };

export const resendDeliveryWordEndpoint = endpoint({
  id: 'resendDeliveryWord',
  as: 'transactions.resendDeliveryWord',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/delivery-word',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Send the delivery word again',
  description: 'The success text is in the field `errorMessage`.',
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'DELIVERY_WORD_NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.object('SentDeliveryWord', {
    errorMessage: t.field(t.text, 'Confirms that the word was sent', 'Sent'),
  }),
  example: sent,
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: resendDeliveryWord,
  present: () => sent,
});

/**
 * Sends the delivery word of an order on hold again (resendDeliveryWord), five times in all;
 * replaces a void word.
 */
async function resendDeliveryWord(
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
    const order = await lockOnHold(tx, wholesalerId, transactionId);
    const word = await findDeliveryWord(tx, order);
    if (word === undefined) throw new AppError('DELIVERY_WORD_NOT_FOUND');
    await requireMayGetCodes(tx, order);
    if (word.sends >= MAX_WORD_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');
    if (!hasBudget) throw limitOfADay();
    await countWordSend(tx, transactionId);
    await appendToOutbox(tx, await repeatDeliveryWord(context, tx, order, word));
  });
}

/** Call it with the order locked. */
async function countWordSend(tx: Db, transactionId: string): Promise<void> {
  await query(tx, 'UPDATE delivery_words SET sends = sends + 1 WHERE transaction_id = $1', [
    transactionId,
  ]);
}
