import { IsDateString, IsUUID } from 'class-validator';
import { IsCount } from '../decorators';
import { defineJob } from '../define-job';

/** A change of what one receivable lacks. Amounts in integer cents. */
export class ReceivableChange {
  /** Id of the allocation; it may be reversed in several parts. */
  @IsUUID()
  paymentId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  cornerStoreId: string;

  /** The principal that is repaid, or owed again: so much credit is free, or in use, again. */
  @IsCount()
  principalCents: number;

  /** The principal that is then outstanding. It is absolute: older versions add nothing. */
  @IsCount()
  outstandingPrincipalCents: number;
}

/** Money that reached one receivable. */
export class PaymentApplied extends ReceivableChange {
  /** What the receivable still lacks after this payment; 0 is paid in full. */
  @IsCount()
  outstandingCents: number;

  @IsDateString()
  appliedAt: string;
}

/** payments: a deposit or a credit balance was applied to a transaction's receivable. */
export const paymentApplied = defineJob({
  type: 'payment.applied',
  version: 1,
  producers: ['payments'],
  queues: ['transactions'],
  Data: PaymentApplied,
});
