import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { EXAMPLE_DISPUTE } from '@fiado/contracts/event-examples';
import { disputeFields } from './dispute';
import type { DisputeRow } from './dispute.entity';

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

export const exampleOwnDispute: t.AnswerOf<typeof ownDisputeAnswer> = EXAMPLE_DISPUTE;

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
