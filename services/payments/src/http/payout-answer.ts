import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { PAYOUT_STATUSES, type Payout } from '../db/payouts.repository';

export const payoutAnswer = t.object('Payout', {
  payoutId: t.uuid,
  cornerStoreId: t.uuid,
  amount: t.pesos,
  bankReference: t.text,
  reason: t.text,
  status: t.oneOf(PAYOUT_STATUSES),
  requestedBy: t.text,
  requestedAt: t.timestamp,
  paidAt: t.nullable(t.timestamp),
  returnedAt: t.nullable(t.timestamp),
  /** To book it back. */
  returnRequestId: t.nullable(t.uuid),
});

export const examplePayout: t.AnswerOf<typeof payoutAnswer> = {
  payoutId: '0199e2c4-9d4e-7f50-8b62-738495061728',
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  amount: 42,
  bankReference: 'SPEI-20261002-77',
  reason: 'La tienda pidió su saldo a favor',
  status: 'paid',
  requestedBy: '5b6f0f4a-1d3c-4b7e-9a21-0c9d8e7f6a5b',
  requestedAt: '2026-10-02T15:30:01.234Z',
  paidAt: '2026-10-02T15:30:01.234Z',
  returnedAt: null,
  returnRequestId: null,
};

export function presentPayout(payout: Payout): t.AnswerOf<typeof payoutAnswer> {
  return {
    payoutId: payout.id,
    cornerStoreId: payout.cornerStoreId,
    amount: amountOf(payout.amountCents),
    bankReference: payout.bankReference,
    reason: payout.reason,
    status: payout.status,
    requestedBy: payout.requestedBy,
    requestedAt: payout.requestedAt.toISOString(),
    paidAt: payout.paidAt?.toISOString() ?? null,
    returnedAt: payout.returnedAt?.toISOString() ?? null,
    returnRequestId: payout.returnRequestedId,
  };
}
