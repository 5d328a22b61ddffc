import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox, auditRows } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  exampleTransaction,
  requireOrderView,
  presentTransaction,
  transactionAnswer,
} from '../orders/order-view';
import { findWholesalerOf, lockOnHold } from '../orders/order.sql';
import { findDeliveryWord, repeatDeliveryWord } from './delivery-word';

export const resetDeliveryWordEndpoint = endpoint({
  id: 'resetDeliveryWord',
  as: 'transactions.resetDeliveryWord',
  once: true,
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/reset-delivery-word',
  scope: 'operator',
  summary: 'Reset the delivery word of a transaction',
  description:
    'Lifts the lock that twenty wrong words put on a transaction. The counts of wrong words and resends start again, ' +
    'and the word is sent to the customer again.',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD', 'DELIVERY_WORD_NOT_FOUND'],
  answer: transactionAnswer,
  example: exampleTransaction,
  input: ({ id, caller: by }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  // Ops lifts the lock that twenty wrong delivery words put on an order: the counts of wrong words and
  // of resends start again, and the word is sent once more.
  handle: async (context: Context, { by, transactionId }) =>
    context.db.transaction(async (tx) => {
      const wholesalerId = await findWholesalerOf(tx, transactionId);
      if (wholesalerId === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
      const order = await lockOnHold(tx, wholesalerId, transactionId);
      const word = await findDeliveryWord(tx, order);
      if (word === undefined) throw new AppError('DELIVERY_WORD_NOT_FOUND');

      await resetDeliveryWordCounts(tx, transactionId);
      await appendToOutbox(tx, [
        ...(await repeatDeliveryWord(context, tx, order, word)),
        ...auditRows(by, { action: 'delivery-word.reset', objectId: transactionId, details: {} }),
      ]);
      return requireOrderView(tx, wholesalerId, { transactionId });
    }),
  present: presentTransaction,
});

/** Resets the counts of wrong words and resends of an order; the word stays. */
async function resetDeliveryWordCounts(tx: Db, transactionId: string): Promise<void> {
  await query(
    tx,
    `UPDATE delivery_words SET wrong_checks = 0, wrong_checks_in_all = 0, sends = 1
      WHERE transaction_id = $1`,
    [transactionId],
  );
}
