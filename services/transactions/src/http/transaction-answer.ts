import { EXAMPLE_ORDER } from '@fiado/contracts/event-examples';
import { JsonText } from '@fiado/contracts/json-text';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { ProductLineView, TransactionView } from '../db/transaction-views.repository';
import { TRANSACTION_STATUSES } from '../domain/transaction-status';

export const productLine = t.object('ProductLine', {
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
  paymentTimeZone: t.text,
  deliveryDate: t.nullable(t.timestamp),
  products: t.listOf(productLine),
  metadata: t.freeForm,
  wholesaler: t.text,
};

/** The specification's transaction resource, and `paymentTimeZone`. */
export const transactionAnswer = t.object('Transaction', transactionFields);

export const exampleTransaction: t.AnswerOf<typeof transactionAnswer> = {
  ...EXAMPLE_ORDER,
  transactionStatus: 'on-hold',
};

/** Where the time zone of an order that has none of its own comes from. */
export interface InTimeZone {
  config: { TIME_ZONE: string };
}

export function presentTransaction(
  transaction: TransactionView,
  { config }: InTimeZone,
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
    paymentTimeZone: transaction.paymentTimeZone ?? config.TIME_ZONE,
    deliveryDate: transaction.deliveryDate?.toISOString() ?? null,
    products: transaction.products.map(presentProduct),
    metadata: transaction.metadata === null ? {} : new JsonText(transaction.metadata),
    wholesaler: transaction.wholesalerName,
  };
}

export function presentProduct(line: ProductLineView): t.AnswerOf<typeof productLine> {
  return {
    id: line.id,
    externalSKU: line.externalSKU,
    name: line.name,
    quantity: line.quantity,
    createdAt: new Date(line.createdAt).toISOString(),
    updatedAt: new Date(line.updatedAt).toISOString(),
  };
}
