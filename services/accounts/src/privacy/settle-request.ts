import type { Transaction } from '@fiado/chassis/db/database';
import { query, timeOf } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { PrivacyAnswer, PrivacyReason } from '@fiado/contracts/privacy';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { dueAt } from './privacy-request.rules';
import {
  type LockedPerson,
  type PrivacyRequest,
  updatePrivacyRequest,
} from './privacy-requests.sql';

/** The corrections that a person asked for. Absent fields keep their values. */
export interface Corrections {
  firstName?: string;
  lastNames?: string;
  cornerStoreName?: string;
  /** E.164. */
  phone?: string;
}

/** A request that is granted now. */
export interface GrantedRequest {
  by: Caller;
  /** Locked, and open. */
  request: PrivacyRequest;
  person: LockedPerson;
  corrections: Corrections | undefined;
}

/**
 * Begins what was granted, in the database transaction of the answer. `done`: nothing is left to do;
 * `executing`: a job does it, and then calls `finishPrivacyRequest`; ChangeRequested: a second person
 * decides, and whoever executes the change then calls `recordGrant`.
 */
export type Grant = (
  context: Context,
  tx: Transaction,
  granted: GrantedRequest,
) => Promise<'done' | 'executing' | ChangeRequested>;

/** A locked request, and the person who settles it. */
interface SettledRequest {
  by: Pick<Caller, 'kind' | 'id'>;
  request: PrivacyRequest;
}

/** Notes that a request is granted: it is executing, and its second clock starts. */
export async function recordGrant(
  { config }: Context,
  tx: Transaction,
  { by, request }: SettledRequest,
): Promise<void> {
  const answeredAt = await timeOf(tx);
  const terms = { days: config.PRIVACY_EXECUTION_DAYS, timeZone: config.TIME_ZONE };
  await updatePrivacyRequest(tx, request.id, {
    status: 'executing',
    outcome: 'granted',
    reasonCode: null,
    answeredBy: by.id,
    answeredAt,
    executionDueAt: dueAt(answeredAt, false, terms),
  });
  await auditAnswer(tx, { by, request, outcome: 'granted', reasonCode: null });
}

/** Marks a granted request as done. */
export async function finishPrivacyRequest(
  tx: Transaction,
  { by, request }: SettledRequest,
): Promise<void> {
  await updatePrivacyRequest(tx, request.id, { status: 'done', doneAt: await timeOf(tx) });
  await recordAudit(tx, {
    by,
    action: 'privacy-request.done',
    objectId: request.userId,
    details: { privacyRequestId: request.id, kind: request.kind },
  });
}

/**
 * Refuses what a person who is erased now has open: nothing is left to show, correct or stop. Their store
 * is locked.
 * @param requestId the cancellation, which the erasure itself ends
 */
export async function endRequestsOfErased(
  tx: Transaction,
  { by, userId, requestId }: { by: Pick<Caller, 'kind' | 'id'>; userId: string; requestId: string },
): Promise<void> {
  const ended = await query<PrivacyRequest>(
    tx,
    `UPDATE privacy_requests
        SET status = 'refused', outcome = 'refused', reason_code = 'no-data', answered_by = $3,
            answered_at = now()
      WHERE user_id = $1 AND id <> $2 AND status IN ('open', 'executing') RETURNING *`,
    [userId, requestId, by.id],
  );
  for (const request of ended) {
    await auditAnswer(tx, { by, request, outcome: 'refused', reasonCode: 'no-data' });
  }
}

/** Audits an answer: codes and ids only. */
export async function auditAnswer(
  tx: Transaction,
  {
    by,
    request: { id: privacyRequestId, userId, kind },
    outcome,
    reasonCode,
  }: SettledRequest & { outcome: PrivacyAnswer; reasonCode: PrivacyReason | null },
): Promise<void> {
  const details = { privacyRequestId, kind, outcome, reasonCode };
  await recordAudit(tx, { by, action: 'privacy-request.answered', objectId: userId, details });
}
