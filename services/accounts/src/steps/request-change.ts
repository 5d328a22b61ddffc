import type { Transaction } from '@fiado/chassis/db/database';
import { ChangeRequested, type ChangeKindName } from '@fiado/contracts/change-requests';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { recordAudit } from '../db/audit-log.repository';
import { insertChangeRequest, type NewChangeRequest } from '../db/change-requests.repository';
import { findOpenChange } from '../db/waiting-changes.repository';
import { endWaitingChanges } from './end-waiting-changes';

export interface WantedChange extends Omit<NewChangeRequest, 'id' | 'requestedBy'> {
  by: Caller;
  /** Where its payload is sealed for it. */
  id?: string;
  /** What the audit log gets of the payload, where that may name a person. */
  audited?: object;
}

/**
 * Notes a change that waits for a second person. Asked again by the same person, it is the same
 * request. The caller has locked the target, so the waiting change cannot end meanwhile; one of an earlier
 * version of the target ends here, because it cannot be made any more.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestChange(
  tx: Transaction,
  { by, audited, id = newId(), ...change }: WantedChange,
): Promise<ChangeRequested> {
  const request = { ...change, id, requestedBy: by.id };
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
