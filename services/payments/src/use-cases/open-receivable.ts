import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { TransactionDelivered } from '@fiado/contracts/jobs/transaction-delivered';
import type { Context } from '../context';
import { insertNotice } from '../db/notices.repository';
import { insertReceivable } from '../db/receivables.repository';
import { nextReference } from '../steps/next-reference';
import { openCreditBalance } from '../steps/open-credit-balance';
import { spendCreditBalance } from '../steps/spend-credit-balance';

export interface OpenReceivableCommand {
  delivered: TransactionDelivered;
  /** Id of the job that brings it; absent when transactions was asked for it. */
  messageId?: string;
}

/**
 * Books the debt of a delivered transaction once, whether it comes from the event or from a call,
 * and applies the user's credit balance to it.
 */
export async function openReceivable(
  context: Context,
  { delivered, messageId }: OpenReceivableCommand,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (messageId !== undefined && !(await enterInbox(tx, messageId))) return;
    const balance = await openCreditBalance(tx, delivered);
    const idFactura = await nextReference(tx, 'idFactura');
    const receivableId = await insertReceivable(tx, delivered, {
      idFactura,
      installationZone: context.config.TIME_ZONE,
    });
    if (receivableId === undefined) return;
    await insertNotice(tx, {
      kind: 'delivered',
      subjectId: receivableId,
      cornerStoreId: delivered.cornerStoreId,
      notBefore: context.clock.now(),
    });
    await spendCreditBalance(context, tx, balance);
  });
  context.relay.wake();
}
