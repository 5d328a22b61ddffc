import type { Db } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import type { DepositChange } from '@fiado/contracts/change-requests';

/** A change of a deposit that waits for a second person. */
export interface WaitingDepositChange {
  depositId: string;
  changeRequestId: string;
  kind: DepositChange;
  payload: object;
  depositVersion: number;
  requestedBy: string;
}

/** @returns the change that waits now, and whether it is this one or the same by the same person */
export function insertDepositChange(
  tx: Db,
  change: WaitingDepositChange,
): Promise<{ changeRequestId: string; isNew: boolean; isSame: boolean }> {
  return queryOne(
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
      change.depositId,
      change.changeRequestId,
      change.kind,
      change.payload,
      change.depositVersion,
      change.requestedBy,
    ],
  );
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
