import { IsDateString, IsInt, Min } from 'class-validator';
import { defineJob } from '../define-job';
import { ReceivableChange } from './payment-applied';

/** Money that was taken back from one receivable. */
export class PaymentReversed extends ReceivableChange {
  /** What the receivable lacks after this reversal; never 0. */
  @IsInt()
  @Min(1)
  outstandingCents: number;

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
