import { IsUUID } from 'class-validator';
import type { TransactionDelivered } from './jobs/transaction-delivered';

/** POST /internal/delivered-transaction of transactions: payments asks when the event is late. */
export class DeliveredTransactionQuestion {
  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;
}

/** Errors: TRANSACTION_NOT_FOUND. `delivered` is null while the transaction is not delivered. */
export interface DeliveredTransactionAnswer {
  delivered: TransactionDelivered | null;
}
