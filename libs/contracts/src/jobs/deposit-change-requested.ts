import { IsIn, IsInt, IsObject, IsOptional, IsString, IsUUID } from 'class-validator';
import { DEPOSIT_CHANGES, type DepositChange } from '../change-requests';
import { defineJob } from '../define-job';

export class DepositChangeRequested {
  @IsUUID()
  changeRequestId: string;

  @IsIn(DEPOSIT_CHANGES)
  kind: DepositChange;

  @IsUUID()
  depositId: string;

  /** How far the deposit had come; see payments' depositVersion. */
  @IsInt()
  depositVersion: number;

  @IsObject()
  payload: object;

  @IsObject()
  before: object;

  @IsOptional()
  @IsString()
  reason?: string | undefined;

  @IsString()
  requestedBy: string;
}

/** payments to accounts: a change of a deposit waits for a second person. */
export const depositChangeRequested = defineJob({
  type: 'deposit-change.requested',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: DepositChangeRequested,
});
