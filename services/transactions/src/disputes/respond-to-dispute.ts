import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction } from '@fiado/chassis/idempotency';
import { About } from '@fiado/contracts/about';
import { IsNonEmptyText, IsVisible } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { lockOrderRow, requireWholesalerOf } from '../orders/order.sql';
import { findDisputeOf, ownDisputeAnswer, type OwnDispute, presentOwnDispute } from './dispute';

/** Characters of an answer. */
const MAX_TEXT = 1_000;

class DisputeResponseBody {
  @About('What the lender should know before it decides', 'La recibió su hermano')
  @IsNonEmptyText(MAX_TEXT)
  @IsVisible()
  text: string;
}

export const respondToDisputeEndpoint = endpoint({
  id: 'respondToDispute',
  as: 'transactions.respondToDispute',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/dispute/response',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Answer the open dispute of a transaction',
  description: 'One answer for each dispute, which the lender reads before it decides.',
  body: DisputeResponseBody,
  bodyExample: { text: 'La recibió su hermano' },
  errors: ['TRANSACTION_NOT_FOUND', 'DISPUTE_NOT_FOUND', 'DISPUTE_ALREADY_ANSWERED'],
  idempotent: true,
  answer: ownDisputeAnswer,
  example: { decidedAt: null },
  input: ({ body: { text }, caller, id }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    text,
  }),
  handle: async (context: Context, { wholesalerId, transactionId, text }, answerOf) =>
    answerInTransaction(context, answerOf, async (tx) => {
      await requireWholesalerOf(tx, transactionId, wholesalerId);
      await lockOrderRow(tx, transactionId);
      const dispute = await findDisputeOf(tx, transactionId);
      if (dispute?.status !== 'open') throw new AppError('DISPUTE_NOT_FOUND');
      if (dispute.response !== null) throw new AppError('DISPUTE_ALREADY_ANSWERED');
      return queryOne<OwnDispute>(
        tx,
        `UPDATE disputes SET response = $2, responded_at = now() WHERE id = $1 RETURNING *`,
        [dispute.id, text],
      );
    }),
  present: presentOwnDispute,
});
