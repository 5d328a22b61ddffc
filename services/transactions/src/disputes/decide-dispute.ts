import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import type { WaitingChange } from '@fiado/chassis/outbox/waiting-changes';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { ReasonBody } from '@fiado/contracts/reason-body';
import type { Context } from '../context';
import { giveNoteOfOps } from '../credit-notes/give-credit-note';
import { lockOrder, type OrderWithTerms } from '../orders/order.sql';
import { type Closed, DAYS, leftToCredit, publishDispute } from './close-dispute';
import { type Dispute, disputeAnswer, presentDispute, readDispute } from './dispute';
import { DisputeRow } from './dispute.entity';
import { answerStore } from './answer-store';

const DECISION = {
  once: true,
  tag: 'Ops: transactions',
  scope: 'operator',
  body: ReasonBody,
  input: decisionOf,
  answer: disputeAnswer,
  present: presentDispute,
} as const;

const DECIDED = { openedById: null, response: null, respondedAt: null };

export const keepDisputeEndpoint = endpoint({
  ...DECISION,
  id: 'keepDispute',
  as: 'disputes.keep',
  route: 'POST /v1/admin/disputes/:disputeId/keep',
  summary: 'Decide that a corner store owes a disputed order',
  description:
    'The next statement has the lines of the order. The days that the dispute was open, at most seven, are added to the ' +
    'days before the debt comes into default; its `paymentDate` stays. Refused while a credit note of the order waits for a ' +
    'second person.',
  errors: ['DISPUTE_NOT_FOUND', 'DISPUTE_IS_NOT_OPEN', 'CHANGE_ALREADY_REQUESTED'],
  bodyExample: { reason: 'La palabra de entrega fue correcta' },
  example: { ...DECIDED, status: 'kept' },
  handle: keepDispute,
});

export const creditDisputeEndpoint = endpoint({
  ...DECISION,
  id: 'creditDispute',
  as: 'disputes.credit',
  route: 'POST /v1/admin/disputes/:disputeId/credit',
  summary: 'Credit all of a disputed order',
  description:
    'A credit note of all that is left of the order, by the rules of `giveCreditNote`. If it waits for a second person ' +
    '(202), the dispute stays open until it is booked. What the store had paid pays its other debts, or stays as its ' +
    'credit balance.',
  errors: [
    'DISPUTE_NOT_FOUND',
    'DISPUTE_IS_NOT_OPEN',
    'TRANSACTION_NOT_CREDITABLE',
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
    'CHANGE_ALREADY_REQUESTED',
  ],
  mayWait: true,
  bodyExample: { reason: 'El chofer entregó en otra tienda' },
  example: { ...DECIDED, status: 'credited', reason: 'El chofer entregó en otra tienda' },
  handle: async (context: Context, { by, disputeId, reason }) =>
    context.db.transaction(async (tx) => {
      const { order } = await lockOpenDispute(tx, disputeId);
      const leftCents = await leftToCredit(tx, order.id);
      // Clawbacks took the rest back from the wholesaler.
      if (leftCents <= 0) throw new AppError('CREDIT_NOTE_AMOUNT_NOT_ALLOWED');
      await tx.manager.update(DisputeRow, disputeId, { reason });
      const credit = { amountCents: leftCents, reason: 'other', reference: null } as const;
      const given = await giveNoteOfOps(context, tx, { by, order, credit, why: reason });
      if (given instanceof ChangeRequested) return given;
      const details = { disputeId, creditNoteId: given.id };
      await audit(tx, by, { action: 'dispute.credited', objectId: order.id, details });
      return readDispute(tx, disputeId);
    }),
});

interface Decision {
  by: Caller;
  disputeId: string;
  reason: string;
}

interface DecisionRequest {
  body: ReasonBody;
  caller: Caller;
  id: (name: 'disputeId', notFound: 'DISPUTE_NOT_FOUND') => string;
}

function decisionOf({ body: { reason }, caller: by, id }: DecisionRequest): Decision {
  return { by, reason, disputeId: id('disputeId', 'DISPUTE_NOT_FOUND') };
}

/** @throws AppError DISPUTE_NOT_FOUND, DISPUTE_IS_NOT_OPEN, CHANGE_ALREADY_REQUESTED */
export async function keepDispute(
  context: Context,
  { by, disputeId, reason }: Decision,
): Promise<Dispute> {
  return context.db.transaction(async (tx) => {
    const { dispute, order } = await lockOpenDispute(tx, disputeId);
    const waiting = await queryRow<Pick<WaitingChange, 'changeRequestId'>>(
      tx,
      'SELECT change_request_id FROM waiting_changes WHERE target_id = $1',
      [order.id],
    );
    if (waiting !== undefined) {
      const { changeRequestId } = waiting;
      throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
    }
    const closed = await queryOne<Closed>(
      tx,
      `UPDATE disputes
          SET status = 'kept', decided_by = $2, decided_at = greatest(now(), opened_at),
              reason = $3
        WHERE id = $1 RETURNING decided_at, ${DAYS} AS days`,
      [disputeId, by.id, reason],
    );
    await publishDispute(tx, dispute, closed);
    const decided = await readDispute(tx, disputeId);
    const { totalCents: amountCents, wholesalerName: wholesaler } = decided;
    const dueOn = await lastDayOf(tx, order.id);
    await answerStore(context, tx, order, {
      template: 'dispute-kept',
      values: { amountCents, wholesaler, dueOn },
      subjectId: order.id,
    });
    await audit(tx, by, { action: 'dispute.kept', objectId: order.id, details: { disputeId } });
    return decided;
  });
}

/** The last day to pay an order, with the days of its disputes: empty when it is paid or past it. */
async function lastDayOf(tx: Transaction, orderId: string): Promise<string> {
  const { dueOn } = await queryOne<{ dueOn: string }>(
    tx,
    `SELECT CASE WHEN paid OR last.at < now() THEN '' ELSE (last.at AT TIME ZONE last.zone)::date::text END
              AS "dueOn"
       FROM transactions t CROSS JOIN LATERAL (
         SELECT coalesce(t.payment_time_zone, 'UTC') AS zone,
                t.payment_due_at + make_interval(hours => 24 * coalesce(sum(${DAYS}), 0)::int) AS at
           FROM disputes WHERE transaction_id = t.id AND decided_at IS NOT NULL) last
      WHERE t.id = $1`,
    [orderId],
  );
  return dueOn;
}

/** An open dispute, and its locked order. */
async function lockOpenDispute(
  tx: Transaction,
  disputeId: string,
): Promise<{ dispute: DisputeRow; order: OrderWithTerms }> {
  const found = await tx.manager.findOneBy(DisputeRow, { id: disputeId });
  if (found === null) throw new AppError('DISPUTE_NOT_FOUND');
  const order = await lockOrder(tx, found.wholesalerId, found.transactionId);
  if (order === undefined) throw new Error('A dispute has an order');
  const dispute = await tx.manager.findOneByOrFail(DisputeRow, { id: disputeId });
  if (dispute.status !== 'open') throw new AppError('DISPUTE_IS_NOT_OPEN');
  return { dispute, order };
}
