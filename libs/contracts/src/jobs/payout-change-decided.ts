import { IsBoolean, IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class PayoutChangeDecided {
  @IsUUID()
  changeRequestId: string;

  @IsUUID()
  payoutId: string;

  /** False: rejected or expired. */
  @IsBoolean()
  isApproved: boolean;
}

/** accounts to payments: make the change of a payout that waits, or forget it. */
export const payoutChangeDecided = defineJob({
  type: 'payout-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: PayoutChangeDecided,
});
