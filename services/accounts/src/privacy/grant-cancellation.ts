import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { LockedChangeRequest } from '../approvals/change-requests.sql';
import { requestChange } from '../approvals/request-change';
import { opsActor } from '../audit/audit-log';
import type { Context } from '../context';
import { blockPerson, requireNothingOpen } from './block-person';
import { findPrivacyRequest, lockRequestAndPerson } from './privacy-requests.sql';
import { type Grant, recordGrant } from './settle-request';

/** The request is what the second person decides on; it has no versions. */
const ONLY_VERSION = 1;

/**
 * Cancellation: the data that are kept are blocked, and erased when the retention ends. A second person decides on it
 * if a person grants it. The caller has checked that nothing is open.
 * @throws AppError CORNER_STORE_IS_BLOCKED
 */
export const grantCancellation: Grant = async (context, tx, { by, request, person }) => {
  if (needsSecondPerson(context.config.FOUR_EYES, by)) {
    return requestChange(tx, {
      by,
      kind: 'privacy.cancel',
      targetId: request.id,
      targetVersion: ONLY_VERSION,
      payload: { privacyRequestId: request.id, userId: person.userId },
    });
  }
  await blockPerson(tx, { by, requestId: request.id, ...person });
  return 'executing';
};

/**
 * Asks other services whether anything is open before an approved cancellation is made: no row is locked meanwhile.
 * @throws AppError PERSON_HAS_OPEN_BALANCE, SERVICE_UNAVAILABLE
 */
export async function askBeforeCancellation(context: Context, requestId: string): Promise<void> {
  const asked = await findPrivacyRequest(context.db, requestId);
  if (asked?.status === 'open') await requireNothingOpen(context, asked.cornerStoreId);
}

/**
 * Grants a cancellation that a second person approved.
 * @throws AppError CORNER_STORE_IS_BLOCKED
 */
export async function executeCancellation(
  context: Context,
  tx: Transaction,
  { targetId, requestedBy, id: changeRequestId, decidedBy: approvedBy }: LockedChangeRequest,
): Promise<string | undefined> {
  const { request, person } = (await lockRequestAndPerson(tx, targetId ?? '')) ?? {};
  if (request?.status !== 'open' || person === undefined) return 'PRIVACY_REQUEST_IS_NOT_OPEN';
  const by = opsActor(requestedBy);
  const auditDetails = { changeRequestId, approvedBy };
  await blockPerson(tx, { by, requestId: request.id, ...person, auditDetails });
  await recordGrant(context, tx, { by, request });
  return undefined;
}
