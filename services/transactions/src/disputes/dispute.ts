import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { orderNumber } from '../orders/order-view';
import { DISPUTE_CHANNELS, DISPUTE_STATUSES, type DisputeRow } from './dispute.entity';

/** A dispute with what its lists show of its order. */
export interface Dispute extends DisputeRow {
  incrementalId: number;
  wholesalerName: string;
  /** What the store owes for the order, as it was delivered. */
  totalCents: number;
}

/** All before WHERE, of rows `d`. */
export const SELECT_DISPUTES = `
  SELECT d.*, t.incremental_id, wholesaler.name AS "wholesalerName",
         (t.amount_cents + t.interest_cents + t.iva_cents)::bigint AS "totalCents"
    FROM disputes d JOIN transactions t ON t.id = d.transaction_id
    JOIN wholesalers wholesaler ON wholesaler.wholesaler_id = d.wholesaler_id`;

/** @throws AppError DISPUTE_NOT_FOUND */
export async function readDispute(db: Db, disputeId: string): Promise<Dispute> {
  const dispute = await queryRow<Dispute>(db, `${SELECT_DISPUTES} WHERE d.id = $1`, [disputeId]);
  if (dispute === undefined) throw new AppError('DISPUTE_NOT_FOUND');
  return dispute;
}

const disputeStatus = t.field(
  t.oneOf(DISPUTE_STATUSES),
  '`open`: the lender has not decided. `kept`: the corner store owes the order. `credited`: all that was left of it is credited',
  'open',
);

export const disputeFields = {
  disputeId: fields.disputeId,
  transactionId: fields.transactionId,
  incrementalID: orderNumber,
  wholesalerId: fields.wholesalerId,
  wholesaler: t.field(t.text, 'Name of the wholesaler', 'Abarrotes del Norte'),
  cornerStoreId: fields.cornerStoreId,
  totalAmountWithInterests: t.field(
    t.pesos,
    'What the corner store owes for the delivered order, before credit notes and payments',
    529,
  ),
  status: disputeStatus,
  openedBy: t.field(
    t.oneOf(DISPUTE_CHANNELS),
    'How the corner store said it: `sms`, on its account `page`, or to a person of `ops`',
  ),
  openedById: t.textOrNull(
    'The person or key of ops that noted it; null for `sms` and `page`',
    '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  ),
  openedAt: t.time('Time at which it was noted', '2026-09-23T16:05:00.000Z'),
  decidedBy: t.textOrNull(
    'Who decided it; null while it is open',
    '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  ),
  decidedAt: t.timeOrNull(
    'Time of the decision; null while it is open',
    '2026-09-24T17:00:00.000Z',
  ),
  reason: t.textOrNull(
    'Why it was decided so; null while it is open, and where the wholesaler credited all of the order',
    'La palabra de entrega fue correcta',
  ),
  response: t.textOrNull(
    'What the wholesaler says to it; null without an answer',
    'La recibió su hermano',
  ),
  respondedAt: t.timeOrNull('Time of that answer', '2026-09-23T18:00:00.000Z'),
};

export const disputeAnswer = t.object('Dispute', disputeFields);

/** An open one, that the store denied itself. */
export const exampleDispute: t.ExampleOf<typeof disputeAnswer> = {
  openedById: null,
  decidedBy: null,
  decidedAt: null,
  reason: null,
  response: null,
  respondedAt: null,
};

export function presentDispute(dispute: Dispute): t.AnswerOf<typeof disputeAnswer> {
  return t.presentRow(disputeAnswer, dispute, {
    disputeId: dispute.id,
    incrementalID: dispute.incrementalId,
    wholesaler: dispute.wholesalerName,
    totalAmountWithInterests: amountOf(dispute.totalCents),
    // That of a credit which waits for a second person is no decision yet.
    reason: dispute.status === 'open' ? null : dispute.reason,
  });
}

/** A dispute as the wholesaler of its order sees it. */
export type OwnDispute = Pick<
  DisputeRow,
  'id' | 'transactionId' | 'status' | 'openedAt' | 'decidedAt' | 'response' | 'respondedAt'
>;

export const ownDisputeAnswer = t.object('TransactionDispute', {
  disputeId: fields.disputeId,
  transactionId: fields.transactionId,
  status: disputeFields.status,
  openedAt: disputeFields.openedAt,
  decidedAt: disputeFields.decidedAt,
  response: disputeFields.response,
  respondedAt: disputeFields.respondedAt,
});

export function presentOwnDispute(dispute: OwnDispute): t.AnswerOf<typeof ownDisputeAnswer> {
  return t.presentRow(ownDisputeAnswer, dispute, { disputeId: dispute.id });
}

/** The newest dispute of an order; undefined without one. */
export function findDisputeOf(db: Db, transactionId: string): Promise<OwnDispute | undefined> {
  return queryRow<OwnDispute>(
    db,
    `SELECT id, transaction_id, status, opened_at, decided_at, response, responded_at
       FROM disputes WHERE transaction_id = $1 ORDER BY id DESC LIMIT 1`,
    [transactionId],
  );
}
