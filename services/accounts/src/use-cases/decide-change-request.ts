import { appendToOutbox, outboxRows, type OutboxRow } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { executeChange } from '@fiado/contracts/jobs/execute-change';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  decideChange,
  findChangeRequest,
  lockChangeRequest,
  type ChangeRequest,
  type ShownChangeRequest,
} from '../db/change-requests.repository';
import { isAdmittedByOther } from '../db/staff.repository';
import { paymentsDecisionRows } from '../steps/payments-decision-rows';

/** A decision needs a sign-in at most this old: an unlocked computer is not enough. */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

export interface DecideChangeRequest {
  by: Caller;
  changeRequestId: string;
  status: 'approved' | 'rejected';
  reason: string | null;
}

/**
 * The decision of the second person, who is not somebody that came in by a link which the first one
 * held, nor the other way round: one person may be both. An approved change is made by a job in the service that owns
 * its target; one that makes a secret when the requester collects it.
 * @throws AppError SIGN_IN_REQUIRED, CHANGE_REQUEST_NOT_FOUND, FORBIDDEN, SECOND_PERSON_REQUIRED,
 *   CHANGE_REQUEST_IS_NOT_PENDING, CHANGE_TARGET_CHANGED
 */
export async function decideChangeRequest(
  context: Context,
  { by, changeRequestId, status, reason }: DecideChangeRequest,
): Promise<ShownChangeRequest> {
  requireFreshSignIn(by, context.clock.now());
  const decided = await context.db.transaction(async (tx) => {
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request === undefined) throw new AppError('CHANGE_REQUEST_NOT_FOUND');
    if (!by.scopes.includes(CHANGE_KINDS[request.kind].approver)) throw new AppError('FORBIDDEN');
    const { requestedBy } = request;
    if (requestedBy === by.id || (await isAdmittedByOther(tx, requestedBy, by.id))) {
      throw new AppError('SECOND_PERSON_REQUIRED');
    }
    if (request.failure === CHANGE_TARGET_CHANGED) throw new AppError(CHANGE_TARGET_CHANGED);
    if (request.status !== 'pending' || request.isExpired) {
      throw new AppError('CHANGE_REQUEST_IS_NOT_PENDING');
    }
    await decideChange(tx, { id: request.id, status, decidedBy: by.id, reason });
    await appendToOutbox(tx, jobsOf(request, status === 'approved'));
    await recordAudit(tx, {
      by,
      action: `change.${status}`,
      objectId: request.id,
      details: { kind: request.kind, targetId: request.targetId },
    });
    return findChangeRequest(tx, request.id);
  });
  if (decided === undefined) throw new Error('A locked change request is gone');
  context.relay.wake();
  return decided;
}

function requireFreshSignIn(by: Caller, now: Date): void {
  const signedInAt = Date.parse(by.staff?.authTime ?? '');
  const isFresh = now.getTime() - signedInAt <= MAX_SIGN_IN_AGE_MS;
  if (!isFresh) throw new AppError('SIGN_IN_REQUIRED');
}

function jobsOf({ id, kind, targetId }: ChangeRequest, isApproved: boolean): OutboxRow[] {
  if (CHANGE_KINDS[kind].owner === 'payments') {
    return paymentsDecisionRows({ id, kind, targetId }, isApproved);
  }
  if (!isApproved || 'isCollected' in CHANGE_KINDS[kind]) return [];
  return outboxRows(executeChange, { id, version: 1 }, { changeRequestId: id });
}
