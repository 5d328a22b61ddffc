import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { releaseOrder } from './release-order';
import {
  exampleTransaction,
  requireOrderView,
  presentTransaction,
  transactionAnswer,
  type OrderView,
} from './order-view';

export const cancelTransactionEndpoint = endpoint({
  id: 'cancelTransaction',
  as: 'transactions.cancel',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/cancel',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Cancel a transaction before its delivery',
  description:
    'Releases the credit. An issued invoice is cancelled with its provider a moment later; `cancellation` of `getInvoice` ' +
    'tells. A pending one becomes `failed`.',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_IS_NOT_IN_HOLD'],
  idempotent: true,
  answer: transactionAnswer,
  example: { ...exampleTransaction, transactionStatus: 'cancelled' },
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: cancelOrder,
  present: presentTransaction,
});

/** Cancels an order before its delivery and releases its credit. */
export async function cancelOrder(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
  answerOf: StoreAnswer<OrderView>,
): Promise<OrderView> {
  return answerInTransaction(context, answerOf, async (tx) => {
    const existing = await requireOrderView(tx, wholesalerId, { transactionId });
    const released = await releaseOrder(tx, {
      transactionId,
      from: ['pending-verification', 'on-hold'],
      to: 'cancelled',
    });
    if (!released) throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
    return { ...existing, status: 'cancelled' as const };
  });
}
