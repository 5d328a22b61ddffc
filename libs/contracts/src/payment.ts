import { DeliveredTransactionQuestion } from './delivered-transaction';
import { defineCall } from './define-call';

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
