import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { findWholesalerOf, lockOrder, type OrderWithTerms } from '../orders/order.sql';
import { lockHead } from '../statements/close-statements';
import { leftToCredit, publishDispute } from './close-dispute';
import {
  type Dispute,
  disputeAnswer,
  exampleDispute,
  presentDispute,
  readDispute,
} from './dispute';
import type { DisputeRow } from './dispute.entity';
import { answerStore } from './answer-store';

export const openDisputeEndpoint = endpoint({
  id: 'openDispute',
  as: 'disputes.open',
  once: true,
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/disputes',
  scope: 'operator',
  summary: 'Note that a corner store says that an order is not its own',
  description:
    'For a delivered order, when the store tells the lender. Until the dispute is decided, no statement has the lines of the ' +
    'order, the store gets no reminder of it, and the debt comes into default up to seven days later. The store still ' +
    'owes the order, and the order still uses its credit.',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_DISPUTABLE', 'DISPUTE_ALREADY_OPEN'],
  status: 201,
  answer: disputeAnswer,
  example: { ...exampleDispute, openedBy: 'ops', openedById: 'ops' },
  input: ({ caller: by, id }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: openDisputeForOps,
  present: presentDispute,
});

/** @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_NOT_DISPUTABLE, DISPUTE_ALREADY_OPEN */
export async function openDisputeForOps(
  context: Context,
  { by, transactionId }: { by: Caller; transactionId: string },
): Promise<Dispute> {
  return context.db.transaction(async (tx) => {
    const wholesalerId = await findWholesalerOf(tx, transactionId);
    const order = wholesalerId && (await lockOrder(tx, wholesalerId, transactionId));
    if (!order) throw new AppError('TRANSACTION_NOT_FOUND');
    const opened = await openDispute(context, tx, order, { openedBy: 'ops', openedById: by.id });
    if (opened === undefined) throw new AppError('DISPUTE_ALREADY_OPEN');
    const details = { disputeId: opened.id };
    await audit(tx, by, { action: 'dispute.opened', objectId: transactionId, details });
    return opened;
  });
}

/**
 * Opens the dispute of a locked order. It waits for a statement that is closing now, so that each statement either
 * closed before the dispute or has no line of the order. The store gets an SMS.
 * @returns undefined when one is open already
 * @throws AppError TRANSACTION_NOT_DISPUTABLE
 */
export async function openDispute(
  context: Context,
  tx: Transaction,
  order: OrderWithTerms,
  { openedBy, openedById = null }: Pick<DisputeRow, 'openedBy'> & { openedById?: string | null },
): Promise<Dispute | undefined> {
  const { id: transactionId, wholesalerId, cornerStoreId, deliveredAt } = order;
  if (deliveredAt === null) throw new AppError('TRANSACTION_NOT_DISPUTABLE');
  await lockHead(tx, wholesalerId);
  if ((await leftToCredit(tx, transactionId)) <= 0)
    throw new AppError('TRANSACTION_NOT_DISPUTABLE');
  const opened = await queryRow<Pick<DisputeRow, 'id' | 'transactionId' | 'openedAt'>>(
    tx,
    `INSERT INTO disputes
       (id, transaction_id, wholesaler_id, corner_store_id, opened_by, opened_by_id, opened_at)
     VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING
     RETURNING id, transaction_id, opened_at`,
    [newId(), transactionId, wholesalerId, cornerStoreId, openedBy, openedById],
  );
  if (opened === undefined) return undefined;
  await publishDispute(tx, opened);
  const dispute = await readDispute(tx, opened.id);
  await answerStore(context, tx, order, {
    template: 'dispute-noted',
    values: { amountCents: dispute.totalCents, wholesaler: dispute.wholesalerName },
    subjectId: transactionId,
  });
  return dispute;
}
