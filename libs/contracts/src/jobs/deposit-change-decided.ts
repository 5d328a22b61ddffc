import { IsBoolean, IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class DepositChangeDecided {
  @IsUUID()
  changeRequestId: string;

  @IsUUID()
  depositId: string;

  /** False: rejected or expired. */
  @IsBoolean()
  isApproved: boolean;
}

/** accounts to payments: make the change that waits, or forget it. */
export const depositChangeDecided = defineJob({
  type: 'deposit-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: DepositChangeDecided,
});
