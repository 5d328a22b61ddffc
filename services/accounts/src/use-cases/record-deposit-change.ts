import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import type { DepositChangeRequested } from '@fiado/shared/contracts/jobs/deposit-change-requested';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertChangeRequest } from '../db/change-requests.repository';
import { opsActor } from '../steps/ops-actor';

/**
 * Stores a change of a deposit that waits for a second person, once for each message. payments keeps
 * the version, and that one change of a deposit waits at a time: here the next may come before the
 * outcome of the one before.
 */
export async function recordDepositChange(
  { db }: Context,
  messageId: string,
  { changeRequestId, depositId, reason, ...change }: DepositChangeRequested,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const { kind, before, payload, requestedBy } = change;
    await insertChangeRequest(tx, {
      kind,
      before,
      payload,
      requestedBy,
      id: changeRequestId,
      targetId: depositId,
      targetVersion: null,
      reason: reason ?? null,
    });
    await recordAudit(tx, {
      by: opsActor(requestedBy),
      action: 'change.requested',
      objectId: changeRequestId,
      // The reason, free text, stays out of a log that cannot forget.
      details: { kind, targetId: depositId, before, after: { ...payload, reason: undefined } },
    });
  });
}
