import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, IsUUID } from 'class-validator';
import {
  DEPOSIT_CHANGES,
  type DepositChange,
  PAYOUT_CHANGES,
  type PayoutChange,
  RECEIVABLE_CHANGES,
  type ReceivableChange,
  SETTLEMENT_CHANGES,
  type SettlementChange,
} from '../change-requests';
import { defineJob } from '../define';

/** A change that waits for a second person. */
class ChangeRequested {
  @IsUUID()
  changeRequestId: string;

  @IsObject()
  payload: object;

  @IsObject()
  before: object;

  @IsString()
  requestedBy: string;
}

class ChangeDecided {
  @IsUUID()
  changeRequestId: string;

  /** False: rejected or expired. */
  @IsBoolean()
  isApproved: boolean;
}

export class ChangeExecuted {
  @IsUUID()
  changeRequestId: string;

  /** Why it was not made: `STALE`, `CHANGE_TARGET_CHANGED`, or the code of an error. */
  @IsOptional()
  @IsString()
  failure?: string | undefined;
}

export class DepositChangeRequested extends ChangeRequested {
  @IsIn(DEPOSIT_CHANGES)
  kind: DepositChange;

  @IsUUID()
  depositId: string;

  /** How far the deposit had come; see payments' depositVersion. */
  @IsInt()
  depositVersion: number;

  @IsOptional()
  @IsString()
  reason?: string | undefined;
}

/** payments to accounts: a change of a deposit waits for a second person. */
export const depositChangeRequested = defineJob({
  type: 'deposit-change.requested',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: DepositChangeRequested,
});

export class DepositChangeDecided extends ChangeDecided {
  @IsUUID()
  depositId: string;
}

/** accounts to payments: make the change that waits, or forget it. */
export const depositChangeDecided = defineJob({
  type: 'deposit-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: DepositChangeDecided,
});

/**
 * payments to accounts: an approved change of a deposit, a payout or a debt was made, or cannot be made
 * any more. Its type is that of the first release, which knew only deposits.
 */
export const paymentsChangeExecuted = defineJob({
  type: 'deposit-change.executed',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: ChangeExecuted,
});

class PayoutChangeRequested extends ChangeRequested {
  @IsIn(PAYOUT_CHANGES)
  kind: PayoutChange;

  @IsUUID()
  payoutId: string;

  @IsString()
  reason: string;
}

/** payments to accounts: a payout, or booking it back, waits for a second person. */
export const payoutChangeRequested = defineJob({
  type: 'payout-change.requested',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: PayoutChangeRequested,
});

export class PayoutChangeDecided extends ChangeDecided {
  @IsUUID()
  payoutId: string;
}

/** accounts to payments: make the change of a payout that waits, or forget it. */
export const payoutChangeDecided = defineJob({
  type: 'payout-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: PayoutChangeDecided,
});

class ReceivableChangeRequested extends ChangeRequested {
  @IsIn(RECEIVABLE_CHANGES)
  kind: ReceivableChange;

  @IsUUID()
  receivableId: string;

  @IsString()
  reason: string;
}

/** payments to accounts: a change of a debt waits for a second person. */
export const receivableChangeRequested = defineJob({
  type: 'receivable-change.requested',
  version: 1,
  producers: ['payments'],
  queues: ['accounts'],
  Data: ReceivableChangeRequested,
});

export class ReceivableChangeDecided extends ChangeDecided {
  @IsUUID()
  receivableId: string;

  /** The second person; absent where the request expired. */
  @IsOptional()
  @IsString()
  decidedBy?: string | undefined;
}

/** accounts to payments: make the change of a debt that waits, or forget it. */
export const receivableChangeDecided = defineJob({
  type: 'receivable-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: ReceivableChangeDecided,
});

export class SettlementChangeRequested extends ChangeRequested {
  @IsIn(SETTLEMENT_CHANGES)
  kind: SettlementChange;

  /** The statement; of a credit note the order, of an adjustment the request itself. */
  @IsUUID()
  targetId: string;

  @IsOptional()
  @IsString()
  reason?: string | undefined;
}

/** transactions to accounts: a payment of a statement, an adjustment or a credit note waits for a second person. */
export const settlementChangeRequested = defineJob({
  type: 'settlement-change.requested',
  version: 1,
  producers: ['transactions'],
  queues: ['accounts'],
  Data: SettlementChangeRequested,
});

export class SettlementChangeDecided extends ChangeDecided {
  /** Who decided; absent where the request expired. */
  @IsOptional()
  @IsString()
  decidedBy?: string | undefined;
}

/** accounts to transactions: make the change that waits, or forget it. */
export const settlementChangeDecided = defineJob({
  type: 'settlement-change.decided',
  version: 1,
  producers: ['accounts'],
  queues: ['transactions'],
  Data: SettlementChangeDecided,
});

/** transactions to accounts: an approved change was made, or cannot be made any more. */
export const settlementChangeExecuted = defineJob({
  type: 'settlement-change.executed',
  version: 1,
  producers: ['transactions'],
  queues: ['accounts'],
  Data: ChangeExecuted,
});

class ExecuteChange {
  @IsUUID()
  changeRequestId: string;
}

/** accounts 1.0, to itself: make an approved change. Nothing sends it any more. */
export const executeChange = defineJob({
  type: 'execute-change',
  version: 1,
  producers: ['accounts'],
  queues: ['accounts'],
  Data: ExecuteChange,
});
