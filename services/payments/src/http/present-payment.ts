import { amountOf } from '@fiado/shared/money';
import type { ReceivableView } from '../db/receivables.repository';
import { receivableStatus, type ReceivableStatus } from '../domain/receivable-status';

/** The answer of GET /transaction/{transactionId}/payment. Amounts in pesos. */
export interface PresentedPayment {
  idFactura: string;
  numeroReferencia: string;
  /** What is still to pay of principal, interests and IVA together. */
  amountDue: number;
  /** What was paid so far: the two sum to all that is owed. */
  amountPaid: number;
  /** Last moment to pay on time. */
  paymentDate: string;
  status: ReceivableStatus;
}

export function presentPayment(view: ReceivableView, now: Date): PresentedPayment {
  return {
    idFactura: view.idFactura,
    numeroReferencia: view.numeroReferencia,
    amountDue: amountOf(view.owedCents - view.paidCents),
    amountPaid: amountOf(view.paidCents),
    paymentDate: view.dueAt.toISOString(),
    status: receivableStatus(view, now),
  };
}
