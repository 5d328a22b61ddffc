import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import type { DepositChangeRequested } from '@fiado/shared/contracts/jobs/deposit-change-requested';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertChangeRequest } from '../db/change-requests.repository';
import { opsActor } from '../steps/ops-actor';

/** Stores a change of a deposit that waits for a second person, once for each message. */
export async function recordDepositChange(
  { db }: Context,
  messageId: string,
  { changeRequestId, depositId, depositVersion, reason, ...change }: DepositChangeRequested,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const { kind, before, payload, requestedBy } = change;
    await insertChangeRequest(tx, {
      ...change,
      id: changeRequestId,
      targetId: depositId,
      targetVersion: depositVersion,
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
