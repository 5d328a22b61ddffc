import type { Transaction } from '@fiado/chassis/db/database';
import { requestChange, takeChange } from '@fiado/chassis/outbox/change-jobs';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeKindName, ChangeRequested } from '@fiado/contracts/change-requests';
import { type Deposit, depositAnswer, presentDeposit } from './deposit';
import { depositVersion } from './deposit.rules';

/** SQL of the change of a deposit that waits for a second person, or null. */
export const PENDING_CHANGE = `
  (SELECT json_build_object('changeRequestId', w.change_request_id, 'kind', w.kind,
            'requestedBy', w.requested_by, 'requestedAt', w.requested_at)
     FROM deposit_changes w WHERE w.deposit_id = deposits.id) AS "pendingChange"`;

/** What the endpoints that change a deposit have in common. */
export const depositChange = {
  tag: 'Ops: payments',
  mayWait: true,
  errors: ['CHANGE_ALREADY_REQUESTED', 'DEPOSIT_NOT_FOUND'],
  answer: depositAnswer,
  present: presentDeposit,
} as const;

type DepositChange = Extract<ChangeKindName, `deposit.${string}`>;

/** A change of a deposit that waits for a second person. */
export interface WaitingDepositChange {
  depositId: string;
  changeRequestId: string;
  kind: DepositChange;
  payload: object;
  depositVersion: number;
  requestedBy: string;
}

const CHANGES = { table: 'deposit_changes', target: 'deposit_id' };

/**
 * Stores a change of a locked deposit that waits for a second person.
 * @throws AppError as requestChange
 */
export function requestDepositChange(
  tx: Transaction,
  deposit: Deposit,
  change: { by: Caller; kind: DepositChange; payload: object; reason?: string },
): Promise<ChangeRequested> {
  const { id: targetId, status, valorCents } = deposit;
  return requestChange(tx, CHANGES, {
    ...change,
    targetId,
    before: { status, valorCents },
    depositVersion: depositVersion(deposit),
  });
}

/** Takes a decided change away. @returns undefined when it is gone already */
export function takeDepositChange(
  tx: Transaction,
  changeRequestId: string,
): Promise<WaitingDepositChange | undefined> {
  return takeChange<WaitingDepositChange>(tx, CHANGES, changeRequestId);
}
