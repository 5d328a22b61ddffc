import type { Transaction } from '@fiado/shared/chassis/db/database';
import { ChangeRequested } from '@fiado/shared/contracts/change-requests';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import { newId } from '@fiado/shared/new-id';
import { recordAudit } from '../db/audit-log.repository';
import {
  findOpenChange,
  insertChangeRequest,
  type NewChangeRequest,
} from '../db/change-requests.repository';

export interface WantedChange extends Omit<NewChangeRequest, 'id' | 'requestedBy'> {
  by: Caller;
  /** What the audit log gets of the payload, where that may name a person. */
  audited?: object;
}

/**
 * Notes a change that waits for a second person. Asked again by the same person, it is the same
 * request. The caller has locked the target, so the waiting change cannot end meanwhile.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestChange(
  tx: Transaction,
  { by, audited, ...change }: WantedChange,
): Promise<ChangeRequested> {
  const request = { ...change, id: newId(), requestedBy: by.id };
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
  if (open.isSame) return new ChangeRequested(open.id);
  throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId: open.id } });
}
