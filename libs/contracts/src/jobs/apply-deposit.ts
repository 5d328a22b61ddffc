import { IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class ApplyDeposit {
  @IsUUID()
  depositId: string;
}

/** payments, to itself: match and apply a deposit that is already stored and acknowledged. */
export const applyDeposit = defineJob({
  type: 'apply-deposit',
  version: 1,
  producers: ['payments'],
  queues: ['payments'],
  Data: ApplyDeposit,
});
