import { IsUUID } from 'class-validator';
import type { TransactionDelivered } from './jobs/transaction-delivered';
import { defineCall } from './define-call';

export class DeliveredTransactionQuestion {
  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;
}

/** Errors: TRANSACTION_NOT_FOUND. `delivered` is null while the transaction is not delivered. */
interface DeliveredTransactionAnswer {
  delivered: TransactionDelivered | null;
}

/**
 * For transactions: payments calls it while the event of a delivery is late. Error:
 * TRANSACTION_NOT_FOUND.
 */
export const deliveredTransactionCall = defineCall<
  DeliveredTransactionQuestion,
  DeliveredTransactionAnswer
>('/internal/delivered-transaction', DeliveredTransactionQuestion);
