import type { Transaction } from '@fiado/shared/chassis/db/database';
import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import { AppError } from '@fiado/shared/contracts/errors';
import type { OpsScope } from '@fiado/shared/contracts/scopes';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  finishChange,
  lockChangeRequest,
  STALE,
  type ChangeRequest,
} from '../db/change-requests.repository';
import { lockStaffMember } from '../db/staff.repository';
import { changeLockedStore } from '../steps/change-corner-store';
import { opsActor } from '../steps/ops-actor';
import { setStaffRole } from '../steps/set-staff-role';

/**
 * Makes an approved change of a corner store or of a role, once. If its target was changed after the
 * request, the second person approved something else: the change fails and nothing happens.
 */
export async function executeChange(
  context: Context,
  messageId: string,
  { changeRequestId }: { changeRequestId: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request?.status !== 'approved') return;
    const failure =
      request.kind === 'staff.role'
        ? await changeRole(tx, request)
        : await changeTerms(tx, request);
    await finishChange(tx, request.id, failure);
    if (failure !== undefined) {
      const { id: objectId, kind, decidedBy } = request;
      const details = { kind, failure };
      await recordAudit(tx, {
        by: opsActor(decidedBy ?? ''),
        action: 'change.failed',
        objectId,
        details,
      });
    }
  });
  context.relay.wake();
}

/** @returns why it was not changed */
async function changeTerms(tx: Transaction, request: ChangeRequest): Promise<string | undefined> {
  let failure: string | undefined;
  try {
    await changeLockedStore(tx, {
      by: opsActor(request.requestedBy),
      cornerStoreId: request.targetId ?? '',
      action: 'corner-store.changed',
      decide: ({ version }) => {
        if (version === request.targetVersion) return request.payload;
        failure = STALE;
        return undefined;
      },
      auditDetails: { changeRequestId: request.id, approvedBy: request.decidedBy },
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
    failure = error.code;
  }
  return failure;
}

/** @returns why it was not changed */
async function changeRole(
  tx: Transaction,
  { id, targetId, targetVersion, payload, requestedBy, decidedBy }: ChangeRequest,
): Promise<string | undefined> {
  const member = await lockStaffMember(tx, targetId ?? '');
  if (member?.version !== targetVersion) return STALE;
  const { role } = payload as { role: OpsScope };
  const auditDetails = { changeRequestId: id, approvedBy: decidedBy };
  await setStaffRole(tx, member, { by: opsActor(requestedBy), role, auditDetails });
  return undefined;
}
