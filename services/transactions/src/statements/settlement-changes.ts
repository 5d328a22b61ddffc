import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { requestChange, takeChange, type WantedChange } from '@fiado/chassis/outbox/change-jobs';
import type { ChangeOf, ChangeRequested } from '@fiado/contracts/change-requests';

/** A change that waits for a second person: a row of waiting_changes. */
export interface WaitingChange {
  targetId: string;
  changeRequestId: string;
  kind: ChangeOf<'transactions'>;
  payload: object;
  requestedBy: string;
  requestedAt: Date;
}

/** The person who made a change, and the one who approved it; null where one person was enough. */
export interface Decision {
  requestedBy: string;
  approvedBy: string | null;
}

const CHANGES = { table: 'waiting_changes', target: 'target_id' };

/** Stores a change that waits for a second person. @throws AppError as requestChange */
export function requestSettlementChange(
  tx: Transaction,
  change: WantedChange,
): Promise<ChangeRequested> {
  return requestChange(tx, CHANGES, change);
}

/** A waiting change. It is not locked, because the lock of its target is enough. */
export function findWaitingChange(
  tx: Transaction,
  changeRequestId: string,
): Promise<WaitingChange | undefined> {
  return queryRow<WaitingChange>(tx, 'SELECT * FROM waiting_changes WHERE change_request_id = $1', [
    changeRequestId,
  ]);
}

/** Takes a decided change away. @returns undefined when it is gone already */
export function takeWaitingChange(
  tx: Transaction,
  changeRequestId: string,
): Promise<WaitingChange | undefined> {
  return takeChange<WaitingChange>(tx, CHANGES, changeRequestId);
}
