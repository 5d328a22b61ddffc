import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { type ChangeExecuted, type RequestedChange, targetOf } from '@fiado/contracts/jobs/changes';
import { type Audited, opsActor, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { finishChange, insertChangeRequest, lockChangeRequest } from './change-requests.sql';

/**
 * Stores a change in payments or transactions that waits for a second person, once for each message.
 * That service checks the version, and allows one waiting change of a target. Here the next request may
 * arrive before the outcome of the previous one.
 */
export async function recordChangeElsewhere(
  { db }: Context,
  messageId: string,
  { changeRequestId, reason, ...change }: RequestedChange,
): Promise<void> {
  const targetId = targetOf(change);
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const { kind, before, payload, requestedBy } = change;
    await insertChangeRequest(tx, {
      kind,
      before,
      payload,
      requestedBy,
      id: changeRequestId,
      targetId,
      targetVersion: null,
      reason: reason ?? null,
    });
    await recordAudit(tx, {
      by: await requesterOf(tx, requestedBy),
      action: 'change.requested',
      objectId: changeRequestId,
      // The audit log keeps everything for ever, so it gets no free text.
      details: { kind, targetId, before, after: withoutTexts(payload) },
    });
  });
}

/** A person or a key of ops; of a credit note also its wholesaler. */
async function requesterOf(tx: Transaction, id: string): Promise<Audited['by']> {
  const wholesaler = await queryRow(tx, 'SELECT FROM wholesalers WHERE id::text = $1', [id]);
  return wholesaler === undefined ? opsActor(id) : { kind: 'wholesaler', id };
}

function withoutTexts(payload: object): object {
  return { ...payload, reason: undefined, bankReference: undefined, reference: undefined };
}

/** Stores the outcome of an approved change in another service. */
export async function recordExecutedChange(
  { db }: Context,
  messageId: string,
  { changeRequestId, failure }: ChangeExecuted,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request?.status !== 'approved') return;
    await finishChange(tx, changeRequestId, failure);
    await recordAudit(tx, {
      by: await requesterOf(tx, request.requestedBy),
      action: failure === undefined ? 'change.executed' : 'change.failed',
      objectId: changeRequestId,
      details: { kind: request.kind, targetId: request.targetId, failure },
    });
  });
}
