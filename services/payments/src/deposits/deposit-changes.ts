import type { Db, Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { askSecondPerson } from '@fiado/chassis/outbox/change-jobs';
import type { Caller } from '@fiado/contracts/caller';
import { type ChangeKindName, ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
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

/**
 * Stores a change of a locked deposit that waits for a second person; accounts asks that person. If the
 * same person requests it again, it is the same request.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the deposit waits
 */
export async function requestDepositChange(
  tx: Transaction,
  deposit: Deposit,
  change: { by: Caller; kind: DepositChange; payload: object; reason?: string },
): Promise<ChangeRequested> {
  const { by, reason, ...wanted } = change;
  const waiting: WaitingDepositChange = {
    ...wanted,
    depositId: deposit.id,
    changeRequestId: newId(),
    depositVersion: depositVersion(deposit),
    requestedBy: by.id,
  };
  // The change that waits now: this one, or the one before it.
  const { changeRequestId, isNew, isSame } = await queryOne<{
    changeRequestId: string;
    isNew: boolean;
    isSame: boolean;
  }>(
    tx,
    `WITH added AS (
       INSERT INTO deposit_changes
         (deposit_id, change_request_id, kind, payload, deposit_version, requested_by)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING change_request_id)
     SELECT change_request_id, true AS "isNew", true AS "isSame" FROM added
     UNION ALL
     SELECT change_request_id, false, kind = $3 AND payload = $4::jsonb AND requested_by = $6
       FROM deposit_changes WHERE deposit_id = $1`,
    [
      waiting.depositId,
      waiting.changeRequestId,
      waiting.kind,
      waiting.payload,
      waiting.depositVersion,
      waiting.requestedBy,
    ],
  );
  if (!isSame) throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
  if (!isNew) return new ChangeRequested(changeRequestId);
  const { id: targetId, status, valorCents } = deposit;
  return askSecondPerson(tx, { ...waiting, targetId, before: { status, valorCents }, reason });
}

/** Takes a decided change away. @returns undefined when it is gone already */
export function takeDepositChange(
  tx: Db,
  changeRequestId: string,
): Promise<WaitingDepositChange | undefined> {
  return queryRow<WaitingDepositChange>(
    tx,
    'DELETE FROM deposit_changes WHERE change_request_id = $1 RETURNING *',
    [changeRequestId],
  );
}
