import type { Transaction } from '@fiado/shared/chassis/db/database';
import type { Caller } from '@fiado/shared/contracts/caller';
import { CHANGE_KINDS } from '@fiado/shared/contracts/change-requests';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import {
  finishChange,
  lockChangeRequest,
  STALE,
  type ChangeRequest,
} from '../db/change-requests.repository';
import { addApiKey } from '../steps/add-api-key';
import { addInvitation, type InvitedPerson } from '../steps/add-invitation';
import { addOpsKey, type OpsKeyTerms } from '../steps/add-ops-key';
import type { IssuedApiKey, KeyTerms } from '../steps/insert-api-key';

/** What a collected request made: a key, or an invitation. */
export type Collected = IssuedApiKey | { staffId: string; invitationLink: string };

/**
 * Makes the approved key or invitation for the person who asked for it, once. It is made here and not
 * at the approval, so that no secret waits anywhere and the approver never sees it.
 * @throws AppError CHANGE_REQUEST_NOT_FOUND, SECOND_PERSON_REQUIRED, CHANGE_REQUEST_IS_NOT_PENDING
 * @throws AppError CHANGE_IS_STALE when the invited person was changed after the request
 */
export async function collectChangeRequest(
  context: Context,
  { by, changeRequestId }: { by: Caller; changeRequestId: string },
): Promise<Collected> {
  const collected = await context.db.transaction(async (tx) => {
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request === undefined || !('isCollected' in CHANGE_KINDS[request.kind])) {
      throw new AppError('CHANGE_REQUEST_NOT_FOUND');
    }
    if (request.requestedBy !== by.id) throw new AppError('SECOND_PERSON_REQUIRED');
    if (request.status !== 'approved' || request.isExpired) {
      throw new AppError('CHANGE_REQUEST_IS_NOT_PENDING');
    }
    const made =
      request.kind === 'staff.invite'
        ? await invite(context, tx, by, request)
        : await issueKey(context, tx, by, request);
    await finishChange(tx, request.id, made === undefined ? STALE : undefined);
    return made;
  });
  // Thrown here, so that the failure is kept.
  if (collected === undefined) throw new AppError('CHANGE_IS_STALE');
  return collected;
}

async function invite(
  { config }: Context,
  tx: Transaction,
  by: Caller,
  { id, targetId, targetVersion, payload, decidedBy }: ChangeRequest,
): Promise<Collected | undefined> {
  const added = await addInvitation(tx, config, {
    by,
    person: payload as InvitedPerson,
    approved: { targetId, targetVersion },
    auditDetails: { changeRequestId: id, approvedBy: decidedBy },
  });
  return added && { staffId: added.member.id, invitationLink: added.invitationLink };
}

async function issueKey(
  context: Context,
  tx: Transaction,
  by: Caller,
  { id, kind, targetId, payload, decidedBy }: ChangeRequest,
): Promise<IssuedApiKey> {
  const auditDetails = { changeRequestId: id, approvedBy: decidedBy };
  const expiry = (payload as { expiresAt: string | null }).expiresAt;
  const expiresAt = expiry === null ? null : new Date(expiry);
  if (kind === 'wholesaler-key.issue') {
    const owner = { kind: 'wholesaler' as const, id: targetId ?? '' };
    const terms = { ...(payload as KeyTerms), expiresAt };
    return addApiKey(context, tx, { by, owner, terms, auditDetails });
  }
  const terms = { ...(payload as OpsKeyTerms), expiresAt: expiresAt ?? context.clock.now() };
  const { opsKey, apiKey } = await addOpsKey(tx, context.config, { by, terms, auditDetails });
  return { apiKeyId: opsKey.id, apiKey };
}
