import { DeliveredTransactionQuestion } from './delivered-transaction';

/** POST /internal/payment of payments: the debt of a delivered order, for the order's page. */
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
