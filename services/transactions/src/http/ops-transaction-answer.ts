import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { OpsTransaction } from '../db/ops-transactions.repository';
import { TRANSACTION_STATUSES } from '../domain/transaction-status';
import type { InTimeZone } from './transaction-answer';

export const opsTransactionFields = {
  transactionId: t.uuid,
  incrementalID: t.count,
  transactionStatus: t.oneOf(TRANSACTION_STATUSES),
  wholesalerId: t.uuid,
  wholesaler: t.text,
  wholesalerTransactionId: t.nullable(t.text),
  cornerStoreId: t.uuid,
  userId: t.uuid,
  totalAmount: t.pesos,
  interests: t.pesos,
  IVAAmount: t.pesos,
  totalAmountWithInterests: t.pesos,
  movementDate: t.timestamp,
  deliveryDate: t.nullable(t.timestamp),
  deliveredAt: t.nullable(t.timestamp),
  paymentDate: t.timestamp,
  paymentTimeZone: t.text,
  createdAt: t.timestamp,
  updatedAt: t.timestamp,
};

const opsTransactionAnswer = t.object('OpsTransaction', opsTransactionFields);

export const exampleOpsTransaction: t.AnswerOf<typeof opsTransactionAnswer> = {
  transactionId: EXAMPLE_IDS.transactionId,
  incrementalID: 42,
  transactionStatus: 'delivery',
  wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  wholesaler: 'Abarrotes del Norte',
  wholesalerTransactionId: 'PED-4711',
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  userId: EXAMPLE_IDS.userId,
  totalAmount: 500,
  interests: 25,
  IVAAmount: 4,
  totalAmountWithInterests: 529,
  movementDate: '2026-09-21T16:04:05.678Z',
  deliveryDate: null,
  deliveredAt: '2026-09-22T15:30:00.000Z',
  paymentDate: '2026-10-07T05:59:59.999Z',
  paymentTimeZone: 'America/Mexico_City',
  createdAt: '2026-09-21T16:04:05.678Z',
  updatedAt: '2026-09-22T15:30:00.012Z',
};

export const opsTransactionPage = t.page('OpsTransactionPage', {
  transactions: t.listOf(opsTransactionAnswer),
});

export function presentOpsTransaction(
  transaction: OpsTransaction,
  { config }: InTimeZone,
): t.AnswerOf<typeof opsTransactionAnswer> {
  const { amountCents, interestCents, ivaCents } = transaction;
  return {
    transactionId: transaction.id,
    incrementalID: transaction.incrementalId,
    transactionStatus: transaction.status,
    wholesalerId: transaction.wholesalerId,
    wholesaler: transaction.wholesalerName,
    wholesalerTransactionId: transaction.wholesalerTransactionId,
    cornerStoreId: transaction.cornerStoreId,
    userId: transaction.userId,
    totalAmount: amountOf(amountCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    totalAmountWithInterests: amountOf(amountCents + interestCents + ivaCents),
    movementDate: transaction.movementDate.toISOString(),
    deliveryDate: transaction.deliveryDate?.toISOString() ?? null,
    deliveredAt: transaction.deliveredAt?.toISOString() ?? null,
    paymentDate: transaction.paymentDueAt.toISOString(),
    paymentTimeZone: transaction.paymentTimeZone ?? config.TIME_ZONE,
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: transaction.updatedAt.toISOString(),
  };
}
