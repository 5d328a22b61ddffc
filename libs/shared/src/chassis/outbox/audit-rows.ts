import type { Caller } from '../../contracts/caller';
import { auditRecorded, type AuditRecorded } from '../../contracts/jobs/audit-recorded';
import { newId } from '../../new-id';
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
