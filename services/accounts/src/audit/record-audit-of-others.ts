import { insertRow } from '@fiado/chassis/db/rows';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';

export interface RecordAuditOfOthers extends AuditRecorded {
  messageId: string;
  /** When it was done, by the clock of that service's database. */
  occurredAt: Date;
}

/** Stores an audit entry of another service, once for each message. */
export async function recordAuditOfOthers(
  { db }: Context,
  { messageId, objectId, ...entry }: RecordAuditOfOthers,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    // A trigger lets the entry wait for the chain (db/triggers.sql.ts).
    await insertRow(tx, 'audit_log', { id: newId(), objectId: objectId ?? null, ...entry });
  });
}
