import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { askSecondPerson } from '@fiado/chassis/outbox/change-jobs';
import type { Caller } from '@fiado/contracts/caller';
import { type ChangeOf, ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';

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

/**
 * Stores a change that waits for a second person; accounts asks that person. If the same person requests
 * the same change of the same target again, it is the same request. Without a target each call is new.
 * @param change `targetId` is absent for a correction, which its Idempotency-Key alone identifies
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestSettlementChange(
  tx: Transaction,
  change: {
    by: Pick<Caller, 'id'>;
    kind: ChangeOf<'transactions'>;
    targetId?: string;
    payload: object;
    /** What only this service gets of it. The same request may have another one: it is sealed. */
    secret?: Record<string, string>;
    before: object;
    reason?: string;
  },
): Promise<ChangeRequested> {
  const { by, kind, payload, secret = {}, before, reason } = change;
  const newRequestId = newId();
  const targetId = change.targetId ?? newRequestId;
  // The change that waits now: this one, or the one before it.
  const { changeRequestId, isNew, isSame } = await queryOne<{
    changeRequestId: string;
    isNew: boolean;
    isSame: boolean;
  }>(
    tx,
    `WITH added AS (
       INSERT INTO waiting_changes (target_id, change_request_id, kind, payload, requested_by)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING change_request_id)
     SELECT change_request_id, true AS "isNew", true AS "isSame" FROM added
     UNION ALL
     SELECT change_request_id, false, kind = $3 AND requested_by = $5
              AND payload - $6::text[] = $4::jsonb - $6::text[]
       FROM waiting_changes WHERE target_id = $1`,
    [targetId, newRequestId, kind, { ...payload, ...secret }, by.id, Object.keys(secret)],
  );
  if (!isSame) throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
  if (!isNew) return new ChangeRequested(changeRequestId);
  const request = { changeRequestId, kind, targetId, payload, before, reason, requestedBy: by.id };
  return askSecondPerson(tx, request);
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
  return queryRow<WaitingChange>(
    tx,
    'DELETE FROM waiting_changes WHERE change_request_id = $1 RETURNING *',
    [changeRequestId],
  );
}
