import type { EntityManager } from 'typeorm';
import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import type { TransactionDelivered } from '@fiado/shared/contracts/jobs/transaction-delivered';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { ReceivableEntryEntity } from '../db/receivable-entry.entity';
import { ReceivableEntity } from '../db/receivable.entity';
import { nextReference } from '../steps/next-reference';
import { openCreditBalance } from '../steps/open-credit-balance';
import { spendCreditBalance } from '../steps/spend-credit-balance';

export interface OpenReceivableCommand {
  delivered: TransactionDelivered;
  /** Id of the job that brings it; absent when transactions was asked for it. */
  messageId?: string;
}

/**
 * Books the debt of a delivered transaction, once, whether its event or a question brought it, and
 * uses the user's credit balance for it at once.
 */
export async function openReceivable(
  context: Context,
  { delivered, messageId }: OpenReceivableCommand,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (messageId !== undefined && !(await enterInbox(tx, messageId))) return;
    const balance = await openCreditBalance(tx, delivered);
    // Under the lock of its user, a transaction cannot get its receivable from elsewhere meanwhile.
    const { transactionId } = delivered;
    if (await tx.existsBy(ReceivableEntity, { transactionId })) return;

    await insertReceivable(tx, delivered);
    await spendCreditBalance(context, tx, balance);
  });
  context.relay.wake();
}

async function insertReceivable(tx: EntityManager, delivered: TransactionDelivered): Promise<void> {
  const { principalCents, interestCents, ivaCents } = delivered;
  const id = newId();
  await tx.insert(ReceivableEntity, {
    id,
    transactionId: delivered.transactionId,
    wholesalerId: delivered.wholesalerId,
    cornerStoreId: delivered.cornerStoreId,
    userId: delivered.userId,
    externalId: delivered.externalId,
    idFactura: await nextReference(tx, 'idFactura'),
    principalCents,
    interestCents,
    ivaCents,
    paidPrincipalCents: 0,
    paidInterestCents: 0,
    paidIvaCents: 0,
    dueAt: new Date(delivered.dueAt),
    version: 1,
  });
  await tx.insert(ReceivableEntryEntity, {
    receivableId: id,
    version: 1,
    cause: 'opened',
    principalCents,
    interestCents,
    ivaCents,
  });
}
