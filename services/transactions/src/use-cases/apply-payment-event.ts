import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import { AppError } from '@fiado/shared/contracts/errors';
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
 * Money reached a transaction's receivable, or was taken back from it: what of the principal is
 * owed no more is credit again, what is owed again is in use, even beyond the limit. Each event
 * states how things stand and not by how much they changed, so that only the newest counts, in
 * whatever order they come. Once for each message.
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
