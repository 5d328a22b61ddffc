import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Refusal, WaitingChange } from '@fiado/chassis/outbox/waiting-changes';
import { CREDIT_NOTE_REASONS } from '@fiado/contracts/credit-notes';
import { EXAMPLE_CREDIT_NOTE_REQUEST } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import { DisputeRow } from '../disputes/dispute.entity';
import type { CreditNote } from './credit-note';
import { RefusedCreditNoteRow } from './refused-credit-note.entity';

const STATUSES = ['pending', 'rejected', 'expired', 'failed', 'replaced'] as const;

/** A credit note that a wholesaler asked for and that is not booked. */
export interface CreditNoteRequest
  extends
    Pick<CreditNote, 'transactionId' | 'principalCents' | 'reason' | 'reference'>,
    Pick<RefusedCreditNoteRow, 'changeRequestId' | 'requestedAt'> {
  status: (typeof STATUSES)[number];
  /** Code of the error with which an approved one failed. */
  failure: string | null;
  /** Null while it waits. */
  decidedAt: Date | null;
}

export const creditNoteRequestAnswer = t.object('CreditNoteRequest', {
  changeRequestId: fields.changeRequestId,
  transactionId: fields.transactionId,
  amount: t.field(t.pesos, 'Price of the goods that were to be credited', 80),
  reason: t.field(t.oneOf(CREDIT_NOTE_REASONS), 'Why the goods were to be credited', 'return'),
  reference: t.textOrNull('The wholesaler’s own id of the credit note', 'DEV-1202'),
  status: t.field(t.oneOf(STATUSES), 'Outcome of the request', 'rejected'),
  failure: t.textOrNull(
    'Code of the error with which an approved note failed; else null',
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
  ),
  requestedAt: t.time('Time of the request', '2026-11-26T16:02:00.000Z'),
  decidedAt: t.timeOrNull(
    'Time at which it ended without a note; null while it waits',
    '2026-11-26T18:40:00.000Z',
  ),
});

export const exampleCreditNoteRequest: t.AnswerOf<typeof creditNoteRequestAnswer> =
  EXAMPLE_CREDIT_NOTE_REQUEST;

export function presentCreditNoteRequest(
  request: CreditNoteRequest,
): t.AnswerOf<typeof creditNoteRequestAnswer> {
  return t.presentRow(creditNoteRequestAnswer, request, {
    amount: amountOf(request.principalCents),
  });
}

/** Credit notes of an order that its wholesaler asked for and that wait or were refused, oldest first. */
export function findCreditNoteRequests(
  db: Db,
  { transactionId, wholesalerId }: { transactionId: string; wholesalerId: string },
): Promise<CreditNoteRequest[]> {
  return query<CreditNoteRequest>(
    db,
    `SELECT change_request_id, target_id AS transaction_id,
            (payload->>'amountCents')::bigint AS principal_cents, payload->>'reason' AS reason,
            payload->>'reference' AS reference, 'pending' AS status, NULL AS failure, requested_at,
            NULL::timestamptz AS decided_at
       FROM waiting_changes
      WHERE target_id = $1 AND kind = 'credit-note.give' AND requested_by = $2
     UNION ALL
     SELECT change_request_id, transaction_id, principal_cents, reason, reference, status, failure,
            requested_at, decided_at
       FROM refused_credit_notes WHERE transaction_id = $1
      ORDER BY requested_at, change_request_id`,
    [transactionId, wholesalerId],
  );
}

/**
 * Records that a waiting credit note was not booked. If the wholesaler requested it, a trigger writes the event for
 * the wholesaler.
 */
export async function refuseCreditNote(
  tx: Transaction,
  { changeRequestId, kind, targetId, payload, requestedBy, requestedAt }: WaitingChange,
  refusal: Refusal | { status: 'replaced' },
): Promise<void> {
  if (kind !== 'credit-note.give') return;
  // A dispute that it was to end goes on, and the reason given with it is that of no decision.
  const dispute = { transactionId: targetId, status: 'open' } as const;
  await tx.manager.update(DisputeRow, dispute, { reason: null });
  const { wholesalerId, amountCents, reason, reference } = payload as {
    wholesalerId: string;
    amountCents: number;
  } & Pick<CreditNote, 'reason' | 'reference'>;
  if (requestedBy !== wholesalerId) return;
  await tx.manager.insert(RefusedCreditNoteRow, {
    changeRequestId,
    transactionId: targetId,
    principalCents: amountCents,
    reason,
    reference,
    requestedAt,
    ...refusal,
  });
}
