import type { Caller } from '@fiado/shared/contracts/caller';
import { newId } from '@fiado/shared/new-id';
import type { EntityManager } from 'typeorm';
import { AuditEntry, type AuditAction } from './audit-entry.entity';

export interface Audited {
  by: Caller;
  action: AuditAction;
  /** Null where it concerns several objects, which `details` names, or none. */
  objectId: string | null;
  /** Ids, numbers and states; never a name, a phone or a key. */
  details?: object;
}

/** Writes an audit entry, in the database transaction of the change. */
export async function recordAudit(
  tx: EntityManager,
  { by, action, objectId, details = {} }: Audited,
): Promise<void> {
  await tx.insert(AuditEntry, {
    id: newId(),
    actorKind: by.kind,
    actorId: by.id,
    action,
    objectId,
    details,
  });
}
