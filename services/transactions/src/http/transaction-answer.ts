import { JsonText } from '@fiado/shared/json-text';
import { amountOf } from '@fiado/shared/money';
import * as t from '@fiado/shared/openapi/json-schema';
import type { TransactionView } from '../db/transaction-views.repository';
import { TRANSACTION_STATUSES } from '../domain/transaction-status';

/** All examples use the same ids, so that they belong together. */
export const EXAMPLE_IDS = {
  transactionId: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  verificationId: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  userId: '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
};

const productLine = t.object('ProductLine', {
  id: t.uuid,
  externalSKU: t.text,
  name: t.text,
  quantity: t.decimal,
  createdAt: t.timestamp,
  updatedAt: t.timestamp,
});

export const transactionFields = {
  transactionId: t.uuid,
  cornerStoreId: t.uuid,
  userId: t.uuid,
  transactionStatus: t.oneOf(TRANSACTION_STATUSES),
  wholesalerTransactionId: t.nullable(t.text),
  movementDate: t.timestamp,
  totalAmount: t.pesos,
  interests: t.pesos,
  IVAAmount: t.pesos,
  totalAmountWithInterests: t.pesos,
  paymentDate: t.timestamp,
  deliveryDate: t.nullable(t.timestamp),
  products: t.listOf(productLine),
  metadata: t.freeForm,
  wholesaler: t.text,
};

/** The spec's transaction resource. */
export const transactionAnswer = t.object('Transaction', transactionFields);

export const exampleTransaction: t.AnswerOf<typeof transactionAnswer> = {
  transactionId: EXAMPLE_IDS.transactionId,
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  userId: EXAMPLE_IDS.userId,
  transactionStatus: 'on-hold',
  wholesalerTransactionId: 'PED-4711',
  movementDate: '2026-09-21T16:04:05.678Z',
  totalAmount: 500,
  interests: 25,
  IVAAmount: 4,
  totalAmountWithInterests: 529,
  paymentDate: '2026-10-06T05:59:59.999Z',
  deliveryDate: null,
  products: [
    {
      id: '3f2a1b4c-8d7e-4f60-a1b2-c3d4e5f60718',
      externalSKU: 'REF-600',
      name: 'Refresco 600 ml',
      quantity: 24,
      createdAt: '2026-09-21T16:04:05.678Z',
      updatedAt: '2026-09-21T16:04:05.678Z',
    },
  ],
  metadata: { route: 'norte-3' },
  wholesaler: 'Abarrotes del Norte',
};

export function presentTransaction(
  transaction: TransactionView,
): t.AnswerOf<typeof transactionAnswer> {
  const { amountCents, interestCents, ivaCents } = transaction;
  return {
    transactionId: transaction.id,
    cornerStoreId: transaction.cornerStoreId,
    userId: transaction.userId,
    transactionStatus: transaction.status,
    wholesalerTransactionId: transaction.wholesalerTransactionId,
    movementDate: transaction.movementDate.toISOString(),
    totalAmount: amountOf(amountCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    totalAmountWithInterests: amountOf(amountCents + interestCents + ivaCents),
    paymentDate: transaction.paymentDueAt.toISOString(),
    deliveryDate: transaction.deliveryDate?.toISOString() ?? null,
    products: transaction.products.map((line) => ({
      id: line.id,
      externalSKU: line.externalSKU,
      name: line.name,
      quantity: line.quantity,
      createdAt: new Date(line.createdAt).toISOString(),
      updatedAt: new Date(line.updatedAt).toISOString(),
    })),
    metadata: transaction.metadata === null ? {} : new JsonText(transaction.metadata),
    wholesaler: transaction.wholesalerName,
  };
}
