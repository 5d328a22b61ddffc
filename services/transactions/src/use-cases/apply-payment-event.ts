import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordReceivable, type ReceivableNews } from '../db/receivable-news.repository';
import { changeUsedCredit } from '../db/transactions.repository';

export interface ApplyPaymentEvent extends ReceivableNews {
  messageId: string;
  cornerStoreId: string;
  /** The payment that was applied or taken back. */
  paymentId: string;
}

/**
 * Applies a payment or its reversal to a transaction, once for each message. Repaid principal
 * becomes available credit again; reversed principal is used credit again, even beyond the limit.
 * Each event carries the state and not the change, so that only the newest counts, in whatever
 * order they arrive.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function applyPaymentEvent(
  context: Context,
  { messageId, cornerStoreId, paymentId, ...news }: ApplyPaymentEvent,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;

    // The transaction's row first, then the credit line: the same order everywhere.
    const changeCents = await recordReceivable(tx, news);
    if (changeCents === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    if (changeCents === 0) return;
    await changeUsedCredit(tx, {
      cornerStoreId,
      transactionId: news.transactionId,
      kind: changeCents < 0 ? 'repayment' : 'reversal',
      amountCents: changeCents,
      causeId: paymentId,
      withinLimit: false,
    });
  });
}
