import { IsDateString, IsInt, IsUUID, Min } from 'class-validator';
import { defineJob } from '../define-job';

/** Money that was taken back from one receivable. Amounts in integer cents. */
export class PaymentReversed {
  /** Id of the allocation in `payment.applied`; it may be reversed in several parts. */
  @IsUUID()
  paymentId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  cornerStoreId: string;

  /** The principal that is owed again: so much credit is in use again. */
  @IsInt()
  @Min(0)
  principalCents: number;

  /** What the receivable lacks after this reversal; never 0. */
  @IsInt()
  @Min(1)
  outstandingCents: number;

  /** The principal that is then outstanding. It is absolute: older versions add nothing. */
  @IsInt()
  @Min(0)
  outstandingPrincipalCents: number;

  @IsDateString()
  reversedAt: string;
}

/** payments: ops reversed the deposit that had paid a transaction's receivable. */
export const paymentReversed = defineJob({
  type: 'payment.reversed',
  version: 1,
  producers: ['payments'],
  queues: ['transactions'],
  Data: PaymentReversed,
});
