import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { DepositChangeExecuted } from '@fiado/contracts/jobs/deposit-change-executed';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { finishChange, lockChangeRequest } from '../db/change-requests.repository';
import { opsActor } from '../steps/ops-actor';

/** Stores the outcome of an approved change of a deposit. */
export async function recordExecutedChange(
  { db }: Context,
  messageId: string,
  { changeRequestId, failure }: DepositChangeExecuted,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request?.status !== 'approved') return;
    await finishChange(tx, changeRequestId, failure);
    await recordAudit(tx, {
      by: opsActor(request.requestedBy),
      action: failure === undefined ? 'change.executed' : 'change.failed',
      objectId: changeRequestId,
      details: { kind: request.kind, targetId: request.targetId, failure },
    });
  });
}
