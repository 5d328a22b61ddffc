import { queryRow } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import { depositChangeExecuted, type ReceivableChangeDecided } from '@fiado/contracts/jobs/changes';
import type { Context } from '../context';
import { findWriteOff, insertWriteOff, lockOverdue } from './write-off-receivable';

/**
 * Makes an approved write-off, once, or forgets a rejected or expired one. A debt that was paid
 * meanwhile is left alone; one that was paid in part is written off with the rest.
 */
export async function decideWriteOff(
  context: Context,
  messageId: string,
  { changeRequestId, receivableId, isApproved, decidedBy }: ReceivableChangeDecided,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const status = await lockOverdue(context, tx, receivableId);
    const waiting = await queryRow<{ reason: string; requestedBy: string }>(
      tx,
      `DELETE FROM write_off_requests WHERE change_request_id = $1
       RETURNING reason, requested_by`,
      [changeRequestId],
    );
    if (!isApproved || waiting === undefined) return;
    const isMade = status === 'overdue' && (await findWriteOff(tx, receivableId)) === undefined;
    if (isMade) {
      const approvedBy = decidedBy ?? null;
      await insertWriteOff(tx, { receivableId, approvedBy, ...waiting });
    }
    const result = { changeRequestId, failure: isMade ? undefined : CHANGE_TARGET_CHANGED };
    const aggregate = { id: changeRequestId, version: 2 };
    await appendToOutbox(tx, outboxRows(depositChangeExecuted, aggregate, result));
  });
  context.relay.wake();
}
