import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { OpsReceivable } from '../db/ops-receivables.repository';
import { daysOverdue } from '../domain/due-day';
import { RECEIVABLE_STATUSES, receivableStatus } from '../domain/receivable-status';

export const receivableFields = {
  receivableId: t.uuid,
  transactionId: t.uuid,
  wholesalerId: t.uuid,
  cornerStoreId: t.uuid,
  userId: t.uuid,
  externalId: t.text,
  idFactura: t.text,
  numeroReferencia: t.text,
  status: t.oneOf(RECEIVABLE_STATUSES),
  daysOverdue: t.count,
  totalAmount: t.pesos,
  interests: t.pesos,
  IVAAmount: t.pesos,
  amountDue: t.pesos,
  amountPaid: t.pesos,
  paymentDate: t.timestamp,
  paymentTimeZone: t.text,
  createdAt: t.timestamp,
  paidAt: t.nullable(t.timestamp),
};

export const receivableAnswer = t.object('Receivable', receivableFields);

export const exampleReceivable: t.AnswerOf<typeof receivableAnswer> = {
  receivableId: '0199e2c4-7b2c-7d3e-9f40-516273849506',
  transactionId: EXAMPLE_IDS.transactionId,
  wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  userId: EXAMPLE_IDS.userId,
  externalId: 'tienda-001',
  idFactura: '4829105736423',
  numeroReferencia: '830274915602',
  status: 'overdue',
  daysOverdue: 3,
  totalAmount: 500,
  interests: 25,
  IVAAmount: 4,
  amountDue: 529,
  amountPaid: 0,
  paymentDate: '2026-10-06T05:59:59.999Z',
  paymentTimeZone: 'America/Mexico_City',
  createdAt: '2026-09-21T16:04:05.678Z',
  paidAt: null,
};

/**
 * @param now on which depends whether it is overdue
 * @param installationZone of debts that have no time zone
 */
export function presentReceivable(
  receivable: OpsReceivable,
  now: Date,
  installationZone: string,
): t.AnswerOf<typeof receivableAnswer> {
  const { principalCents, interestCents, ivaCents, outstandingCents } = receivable;
  return {
    receivableId: receivable.id,
    transactionId: receivable.transactionId,
    wholesalerId: receivable.wholesalerId,
    cornerStoreId: receivable.cornerStoreId,
    userId: receivable.userId,
    externalId: receivable.externalId,
    idFactura: receivable.idFactura,
    numeroReferencia: receivable.numeroReferencia,
    status: receivableStatus(receivable, now),
    daysOverdue: daysOverdue(receivable, now, installationZone),
    totalAmount: amountOf(principalCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    amountDue: amountOf(outstandingCents),
    amountPaid: amountOf(principalCents + interestCents + ivaCents - outstandingCents),
    paymentDate: receivable.dueAt.toISOString(),
    paymentTimeZone: receivable.timeZone ?? installationZone,
    createdAt: receivable.openedAt.toISOString(),
    paidAt: receivable.paidAt?.toISOString() ?? null,
  };
}
