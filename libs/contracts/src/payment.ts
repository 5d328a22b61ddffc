import { IsUUID } from 'class-validator';
import { defineCall } from './define-call';
import type { TransactionDelivered } from './jobs/transaction-delivered';

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

export class PaymentQuestion extends DeliveredTransactionQuestion {}

/** As getPayment answers. Amounts in pesos. */
export interface PaymentAnswer {
  idFactura: string;
  numeroReferencia: string;
  amountDue: number;
  amountPaid: number;
  paymentDate: string;
  /** Of the calendar that `paymentDate` is a day of. */
  paymentTimeZone: string;
  status: 'pending' | 'overdue' | 'paid';
}

/** For payments: the debt of a delivered order, for the order's page. */
export const paymentCall = defineCall<PaymentQuestion, PaymentAnswer>(
  '/internal/payment',
  PaymentQuestion,
);
