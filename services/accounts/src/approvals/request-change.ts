import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import {
  CHANGE_TARGET_CHANGED,
  type ChangeKindName,
  ChangeRequested,
} from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import { insertChangeRequest, type NewChangeRequest } from './change-requests.sql';
import type { ChangeRequestRow } from './change-request.entity';

/** A change that creates something has no target. Changes without a version may wait side by side. */
interface WantedChange
  extends
    Pick<NewChangeRequest, 'kind' | 'payload'>,
    Partial<Pick<NewChangeRequest, 'targetId' | 'targetVersion' | 'before' | 'reason'>> {
  by: Caller;
  sealedPayload?: Buffer;
  /** Where its payload is sealed for it. */
  id?: string;
  /** The part of the payload for the audit log, where the payload may name a person. */
  audited?: object;
}

/** A change that a second person approved. */
export interface ApprovedChange extends AuditedBy {
  /** @returns what was approved; undefined where the target was changed after the request */
  decide: (target: { version: number }) => object | undefined;
}

/**
 * Stores a change that waits for a second person. If the same person asks again, it is the same request.
 * The caller has locked the target, so that a waiting change cannot end at the same time. A waiting change
 * of an earlier version of the target ends here, because it cannot be made any more.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestChange(
  tx: Transaction,
  { by, audited, ...wanted }: WantedChange,
): Promise<ChangeRequested> {
  const none = { targetId: null, targetVersion: null, before: {}, reason: null };
  const request = { id: newId(), ...none, ...wanted, requestedBy: by.id };
  await endOutdatedChanges(tx, by, request);
  if (await insertChangeRequest(tx, request)) {
    const { kind, targetId, payload, before } = request;
    await recordAudit(tx, {
      by,
      action: 'change.requested',
      objectId: request.id,
      details: { kind, targetId, before, after: audited ?? payload },
    });
    return new ChangeRequested(request.id);
  }
  const open = await findOpenChange(tx, request);
  if (open === undefined) throw new Error('The waiting change of a locked object is gone');
  if (open.isSame) return new ChangeRequested(open.id);
  throw alreadyRequested(open.id);
}

/**
 * Refuses a change that one person may make, while another one of the object waits for a second person.
 * The caller has locked the object.
 * @throws AppError CHANGE_ALREADY_REQUESTED with the id of the waiting one
 */
export async function refuseWhileChangeWaits(
  tx: Transaction,
  by: Caller,
  target: { kind: ChangeKindName; targetId: string; targetVersion: number },
): Promise<void> {
  await endOutdatedChanges(tx, by, target);
  const open = await findOpenChange(tx, { ...target, payload: {}, requestedBy: by.id });
  if (open !== undefined) throw alreadyRequested(open.id);
}

async function endOutdatedChanges(
  tx: Transaction,
  by: Caller,
  { kind, targetId, targetVersion }: Pick<NewChangeRequest, 'kind' | 'targetId' | 'targetVersion'>,
): Promise<void> {
  if (targetId === null || targetVersion === null) return;
  await endWaitingChanges(tx, { by, kind, targetId, exceptVersion: targetVersion });
}

function alreadyRequested(changeRequestId: string): AppError {
  return new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
}

/** The changes of an object that wait for a second person. */
interface WaitingChanges {
  /** Who changed the object. */
  by: Pick<Caller, 'kind' | 'id'>;
  kind: ChangeKindName;
  targetId: string;
  /** Changes of this version of the object stay. */
  exceptVersion?: number | undefined;
}

/**
 * Ends the undecided changes of an object that has been changed since: they fail with
 * CHANGE_TARGET_CHANGED, so that nobody approves them and others may be asked for. The caller has locked
 * the object.
 */
export async function endWaitingChanges(
  tx: Transaction,
  { by, kind, targetId, exceptVersion }: WaitingChanges,
): Promise<void> {
  const failure = CHANGE_TARGET_CHANGED;
  const failed = await failPendingChanges(tx, { kind, targetId, exceptVersion, failure });
  for (const objectId of failed) {
    const details = { kind, targetId, failure };
    await recordAudit(tx, { by, action: 'change.failed', objectId, details });
  }
}

/** The change of a target that waits. @returns whether it is the wanted one, by the same person */
function findOpenChange(
  db: Db,
  {
    kind,
    targetId,
    payload,
    requestedBy,
  }: Pick<NewChangeRequest, 'kind' | 'targetId' | 'payload' | 'requestedBy'>,
): Promise<{ id: string; isSame: boolean } | undefined> {
  return queryRow(
    db,
    `SELECT id, payload = $3::jsonb AND requested_by = $4 AS "isSame" FROM change_requests
      WHERE kind = $1 AND target_id = $2
        AND status IN ('pending', 'approved') AND target_version IS NOT NULL`,
    [kind, targetId, payload, requestedBy],
  );
}

/** Fails the undecided changes of a target. @returns their ids */
async function failPendingChanges(
  tx: Db,
  {
    kind,
    targetId,
    exceptVersion = null,
    failure,
  }: {
    kind: ChangeKindName;
    targetId: string;
    exceptVersion?: number | null | undefined;
    failure: string;
  },
): Promise<string[]> {
  const failed = await query<Pick<ChangeRequestRow, 'id'>>(
    tx,
    `UPDATE change_requests SET status = 'failed', failure = $4, sealed_payload = NULL
      WHERE kind = $1 AND target_id = $2 AND status = 'pending' AND target_version IS NOT NULL
        AND target_version IS DISTINCT FROM $3
      RETURNING id`,
    [kind, targetId, exceptVersion, failure],
  );
  return failed.map(({ id }) => id);
}
