import { IsDateString, IsInt, IsUUID, Min } from 'class-validator';
import { defineJob } from '../define-job';

/** Money that reached one receivable. Amounts in integer cents. */
export class PaymentApplied {
  /** Id of the allocation. */
  @IsUUID()
  paymentId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  cornerStoreId: string;

  /** The part that repays principal: so much credit is free again. */
  @IsInt()
  @Min(0)
  principalCents: number;

  /** What the receivable still lacks after this payment; 0 is paid in full. */
  @IsInt()
  @Min(0)
  outstandingCents: number;

  /** The principal that is then outstanding. It is absolute: older versions add nothing. */
  @IsInt()
  @Min(0)
  outstandingPrincipalCents: number;

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
