import { JsonText } from '@fiado/shared/json-text';
import { amountOf } from '@fiado/shared/money';
import type { TransactionView } from '../db/transaction-views.repository';

/** The spec's transaction resource: these fields and no other. */
export function presentTransaction(transaction: TransactionView): object {
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
