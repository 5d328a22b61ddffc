import type { Caller } from '@fiado/contracts/caller';
import { auditRecorded, type AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { newId } from '@fiado/contracts/new-id';
import { outboxRows, type OutboxRow } from './append';

/** The outbox rows of one entry of the audit log. */
export function auditRows(
  by: Caller,
  entry: Pick<AuditRecorded, 'action' | 'objectId' | 'details'>,
): OutboxRow[] {
  return outboxRows(
    auditRecorded,
    { id: newId(), version: 1 },
    { actorKind: by.kind, actorId: by.id, ...entry },
  );
}
