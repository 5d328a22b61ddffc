import { IsOptional } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox, type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { currentRequestId } from '@fiado/chassis/request-context';
import { currentTraceparent } from '@fiado/chassis/tracing/tracer';
import type { Caller } from '@fiado/contracts/caller';
import {
  CHANGE_KINDS,
  CHANGE_TARGET_CHANGED,
  type ChangeKindName,
  type ChangeOf,
} from '@fiado/contracts/change-requests';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { changeJobsOf } from '@fiado/contracts/jobs/changes';
import { MAX_REASON_LENGTH, ReasonBody } from '@fiado/contracts/reason-body';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { mayBeOneHuman } from '../staff/roots.sql';
import {
  type ChangeRequest,
  findChangeRequest,
  lockChangeRequest,
  type ShownChangeRequest,
} from './change-requests.sql';
import {
  changeRequestAnswer,
  exampleChangeRequest,
  presentChangeRequest,
} from './show-change-requests';

class ApproveChangeRequestBody {
  @About('Why it is approved', 'Checked with the sales team')
  @IsOptional()
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason?: string;
}

class RejectChangeRequestBody extends ReasonBody {
  @About('Why it is rejected', 'Its last two debts were late')
  declare reason: string;
}

/** What both decisions have in common. */
const deciding = {
  tag: 'Ops: operation',
  scope: 'approver',
  errors: [
    'CHANGE_REQUEST_NOT_FOUND',
    'CHANGE_REQUEST_IS_NOT_PENDING',
    'CHANGE_TARGET_CHANGED',
    'SECOND_PERSON_REQUIRED',
    'SIGN_IN_REQUIRED',
  ],
  answer: changeRequestAnswer,
} as const;

const decidedExample = {
  ...exampleChangeRequest,
  decidedBy: 'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45',
  decidedByName: 'Luis Vega',
  decidedAt: '2026-09-21T17:00:00.000Z',
};

export const approveChangeRequestEndpoint = endpoint({
  ...deciding,
  id: 'approveChangeRequest',
  as: 'changeRequests.approve',
  once: true,
  route: 'POST /v1/admin/change-requests/:changeRequestId/approve',
  summary: 'Approve a change that somebody else asked for',
  description:
    'By a person whose sign-in is at most five minutes old. The change is made within seconds. A request ' +
    'whose object was changed meanwhile has failed with `CHANGE_TARGET_CHANGED` (of staff and deposits: `STALE`). ' +
    'A key or a secret is issued when its requester collects it.',
  body: ApproveChangeRequestBody,
  bodyOptional: true,
  bodyExample: { reason: 'Checked with the sales team' },
  example: { ...decidedExample, status: 'approved' },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
    status: 'approved' as const,
  }),
  handle: decideChangeRequest,
  present: presentChangeRequest,
});

export const rejectChangeRequestEndpoint = endpoint({
  ...deciding,
  id: 'rejectChangeRequest',
  as: 'changeRequests.reject',
  once: true,
  route: 'POST /v1/admin/change-requests/:changeRequestId/reject',
  summary: 'Reject a change that somebody else asked for',
  body: RejectChangeRequestBody,
  bodyExample: { reason: 'Its last two debts were late' },
  example: {
    ...decidedExample,
    status: 'rejected',
    decisionReason: 'Its last two debts were late',
  },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
    status: 'rejected' as const,
  }),
  handle: decideChangeRequest,
  present: presentChangeRequest,
});

interface DecideChangeRequest {
  by: Caller;
  changeRequestId: string;
  status: 'approved' | 'rejected';
  reason: string | null;
}

/**
 * Decides a change request. The decision is refused where requester and approver may be one human. An
 * approved change is made by the service that owns its target: accounts finds its own rows, the other
 * services get a job. A change that makes a secret is made when the secret is collected.
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
    if (await mayBeOneHuman(tx, requestedBy, by.id)) {
      throw new AppError('SECOND_PERSON_REQUIRED');
    }
    if (request.failure === CHANGE_TARGET_CHANGED) throw new AppError(CHANGE_TARGET_CHANGED);
    if (request.status !== 'pending' || request.isExpired) {
      throw new AppError('CHANGE_REQUEST_IS_NOT_PENDING');
    }
    await query(
      tx,
      `UPDATE change_requests
          SET status = $2, decided_by = $3, decision_reason = $4, decided_at = now(),
              sealed_payload = CASE WHEN $2 = 'approved' THEN sealed_payload END,
              next_attempt_at = CASE WHEN $5 THEN now() END, request_id = $6, traceparent = $7
        WHERE id = $1`,
      [
        request.id,
        status,
        by.id,
        reason,
        status === 'approved' && isMadeHere(request),
        currentRequestId(),
        currentTraceparent(),
      ],
    );
    await appendToOutbox(tx, decisionRows(request, status === 'approved', by.id));
    await recordAudit(tx, {
      by,
      action: `change.${status}`,
      objectId: request.id,
      details: { kind: request.kind, targetId: request.targetId },
    });
    return findChangeRequest(tx, request.id);
  });
  if (decided === undefined) throw new Error('A locked change request is gone');
  context.changeWorker.wake(changeRequestId);
  return decided;
}

/** A decision needs a sign-in at most this old: an unlocked computer is not enough. */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

function requireFreshSignIn(by: Caller, now: Date): void {
  const signedInAt = Date.parse(by.staff?.authTime ?? '');
  const isFresh = now.getTime() - signedInAt <= MAX_SIGN_IN_AGE_MS;
  if (!isFresh) throw new AppError('SIGN_IN_REQUIRED');
}

/** Whether accounts makes the change itself, and nobody collects a secret. */
function isMadeHere({ kind }: ChangeRequest): boolean {
  return CHANGE_KINDS[kind].owner === 'accounts' && !('collectedBy' in CHANGE_KINDS[kind]);
}

/** The job that tells the service that owns the target, where it is not accounts, to make or delete the change. */
export function decisionRows(
  { id, kind, targetId }: Pick<ChangeRequest, 'id' | 'kind' | 'targetId'>,
  isApproved: boolean,
  decidedBy?: string,
): OutboxRow[] {
  if (!isMadeElsewhere(kind)) return [];
  const { decided, target } = changeJobsOf(kind);
  const ofTarget = { targetId: targetId ?? '', [target]: targetId };
  const decision = { changeRequestId: id, isApproved, decidedBy, ...ofTarget };
  return outboxRows(decided, { id, version: 1 }, decision);
}

function isMadeElsewhere(kind: ChangeKindName): kind is ChangeOf<'payments' | 'transactions'> {
  return CHANGE_KINDS[kind].owner !== 'accounts';
}
