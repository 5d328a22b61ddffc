import { IsIn, IsObject, IsString, IsUUID } from 'class-validator';
import { PAYOUT_CHANGES, type PayoutChange } from '../change-requests';
import { defineJob } from '../define-job';

export class PayoutChangeRequested {
  @IsUUID()
  changeRequestId: string;

  @IsIn(PAYOUT_CHANGES)
  kind: PayoutChange;

  @IsUUID()
  payoutId: string;

  @IsObject()
  payload: object;

  @IsObject()
  before: object;

  @IsString()
  reason: string;

  @IsString()
  requestedBy: string;
}

/** payments to accounts: a payout, or booking it back, waits for a second person. */
export const payoutChangeRequested = defineJob({
  type: 'payout-change.requested',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: PayoutChangeRequested,
});
