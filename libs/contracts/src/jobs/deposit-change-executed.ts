import { IsOptional, IsString, IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class DepositChangeExecuted {
  @IsUUID()
  changeRequestId: string;

  /** Why it was not made: `STALE`, `CHANGE_TARGET_CHANGED`, or the code of an error. */
  @IsOptional()
  @IsString()
  failure?: string | undefined;
}

/** payments to accounts: an approved change of a deposit or a payout was made, or cannot be made any more. */
export const depositChangeExecuted = defineJob({
  type: 'deposit-change.executed',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: DepositChangeExecuted,
});
