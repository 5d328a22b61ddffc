import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { RowJob } from '@fiado/chassis/row-jobs/row-job';
import type { CHANGE_KINDS, ChangeKindName } from '@fiado/contracts/change-requests';
import { ChangeRequestRow } from './change-request.entity';
import type { StaffRow } from '../staff/staff.entity';

/** Approved changes of accounts. Each takes its own turn: they are few, and of people of the lender. */
export const CHANGES_TO_EXECUTE: RowJob = {
  type: 'execute-change',
  loop: 'execute changes',
  table: 'change_requests',
  isOpen: `status = 'approved' AND next_attempt_at IS NOT NULL`,
  tenant: 'id',
  createdAt: 'requested_at',
};

/** Failure of an approved change whose target was changed after the request. */
export const STALE = 'STALE';

/** Time for the decision, and for collecting a secret after it. */
const LIFE_HOURS = 72;

/** What is shown of a change request. */
export type ChangeRequest = Omit<
  ChangeRequestRow,
  | 'sealedPayload'
  | 'attempts'
  | 'nextAttemptAt'
  | 'lastError'
  | 'deadAt'
  | 'requestId'
  | 'traceparent'
>;

/** With the names of the people or keys, null where they have none. */
export interface ShownChangeRequest extends ChangeRequest {
  requestedByName: string | null;
  decidedByName: StaffRow['name'] | null;
}

/** Staff, ops keys and wholesalers are few, so no index is needed. */
export const SHOWN = `
  SELECT r.id, r.kind, r.target_id, r.target_version, r.payload, r.before, r.reason, r.requested_by,
         r.requested_at, r.status, r.decided_by, r.decision_reason, r.decided_at, r.failure,
         r.expires_at, coalesce(s.name, k.name, w.name) AS requested_by_name, d.name AS decided_by_name
    FROM change_requests r
    LEFT JOIN staff s ON s.id::text = r.requested_by
    LEFT JOIN ops_keys k ON k.id::text = r.requested_by
    LEFT JOIN wholesalers w ON w.id::text = r.requested_by
    LEFT JOIN staff d ON d.id::text = r.decided_by`;

export interface NewChangeRequest extends Pick<
  ChangeRequest,
  'id' | 'kind' | 'targetId' | 'targetVersion' | 'payload' | 'before' | 'reason' | 'requestedBy'
> {
  /** Personal data that the change needs. It is never shown, and deleted when the change is over. */
  sealedPayload?: Buffer;
}

/** @returns whether it was inserted: false when another change of the target waits */
export async function insertChangeRequest(db: Db, request: NewChangeRequest): Promise<boolean> {
  const inserted = await query(
    db,
    `INSERT INTO change_requests
       (id, kind, target_id, target_version, payload, before, reason, requested_by, expires_at,
        sealed_payload)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(hours => $9), $10)
     ON CONFLICT (kind, target_id)
       WHERE status IN ('pending', 'approved') AND target_version IS NOT NULL
     DO NOTHING RETURNING 1`,
    [
      request.id,
      request.kind,
      request.targetId,
      request.targetVersion,
      request.payload,
      request.before,
      request.reason,
      request.requestedBy,
      LIFE_HOURS,
      request.sealedPayload,
    ],
  );
  return inserted.length > 0;
}

export function findChangeRequest(db: Db, id: string): Promise<ShownChangeRequest | undefined> {
  return queryRow<ShownChangeRequest>(db, `${SHOWN} WHERE r.id = $1`, [id]);
}

/** A request that is locked, with whether its time is over by the clock of the database. */
export interface LockedChangeRequest extends ChangeRequest {
  isExpired: boolean;
  sealedPayload: Buffer | null;
}

export function lockChangeRequest(tx: Db, id: string): Promise<LockedChangeRequest | undefined> {
  return queryRow(
    tx,
    `SELECT *, expires_at < now() AS "isExpired" FROM change_requests
      WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
}

/** Kinds of changes that accounts makes by itself once they are approved. */
export type MadeKind = {
  [Kind in ChangeKindName]: (typeof CHANGE_KINDS)[Kind] extends { collectedBy: string }
    ? never
    : (typeof CHANGE_KINDS)[Kind] extends { owner: 'accounts' }
      ? Kind
      : never;
}[ChangeKindName];

const LOCK_STORE = 'SELECT FROM corner_stores WHERE id = $1 FOR NO KEY UPDATE';
/** Of the person whose request $1 is. */
const LOCK_PERSON = `SELECT FROM corner_stores
  WHERE user_id = (SELECT user_id FROM privacy_requests WHERE id = $1) FOR NO KEY UPDATE`;

/** SQL that locks the target $1 of a change as the request for that change does. */
const LOCK_TARGET: Record<MadeKind | 'staff.invite', string> &
  Partial<Record<ChangeKindName, string>> = {
  'corner-store.terms': LOCK_STORE,
  'corner-store.phone-hold': LOCK_STORE,
  'corner-store.resume': LOCK_STORE,
  'privacy.access': LOCK_PERSON,
  'privacy.cancel': LOCK_PERSON,
  'privacy.rectify': LOCK_PERSON,
  'wholesaler.settings': 'SELECT FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE',
  'customers.import': 'SELECT FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE',
  'payment-provider.settings': 'SELECT FROM payment_providers WHERE id = $1 FOR NO KEY UPDATE',
  'staff.invite': 'SELECT FROM staff WHERE id = $1 FOR UPDATE',
  'staff.role': 'SELECT FROM staff WHERE id = $1 FOR UPDATE',
};

/** Locks the target of an approved change and then its request: new requests lock in the same order. */
export async function lockChangeAndTarget(
  tx: Db,
  id: string,
): Promise<LockedChangeRequest | undefined> {
  const found = await tx.manager.findOneBy(ChangeRequestRow, { id });
  const lock = found && LOCK_TARGET[found.kind];
  if (lock) await query(tx, lock, [found.targetId]);
  return lockChangeRequest(tx, id);
}

/** @param failure undefined: the change was made */
export async function finishChange(tx: Db, id: string, failure: string | undefined): Promise<void> {
  await tx.manager.update(ChangeRequestRow, id, {
    status: failure === undefined ? 'executed' : 'failed',
    failure: failure ?? null,
    sealedPayload: null,
    lastError: null,
    requestId: null,
    traceparent: null,
  });
}

/** SQL of the change of a target that waits, as a PendingChange, or null. */
export function pendingChangeOf(targetId: string, kinds: ChangeKindName[]): string {
  return `
    (SELECT json_build_object('changeRequestId', r.id, 'kind', r.kind,
              'requestedBy', r.requested_by, 'requestedAt', r.requested_at)
       FROM change_requests r
      WHERE r.kind IN ('${kinds.join("', '")}') AND r.target_id = ${targetId}
        AND r.status IN ('pending', 'approved') AND r.target_version IS NOT NULL
      ORDER BY r.id LIMIT 1) AS "pendingChange"`;
}
