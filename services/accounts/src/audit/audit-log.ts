import type { Db } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import type { AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { newId } from '@fiado/contracts/new-id';

export type AuditAction =
  | AuditRecorded['action']
  | 'wholesaler.created'
  | 'wholesaler.changed'
  | 'payment-provider.created'
  | 'payment-provider.changed'
  | 'payment-provider.signing-secret-issued'
  | 'api-key.issued'
  | 'api-key.revoked'
  | 'credential.refused'
  | 'ops-key.issued'
  | 'ops-key.revoked'
  | 'data-key.rotated'
  | 'data-key.retired'
  | 'staff.invited'
  | 'staff.role-changed'
  | 'staff.disabled'
  | 'staff.passkey-enrolled'
  | 'staff.signed-in'
  | 'staff.session-ended'
  | 'customers.imported'
  | 'corner-stores.listed'
  | 'corner-store.viewed'
  | 'phone.searched'
  | 'name.searched'
  | 'phone.revealed'
  | 'corner-store.changed'
  | 'corner-store.approved'
  | 'corner-store.rejected'
  | 'corner-store.blocked'
  | 'corner-store.phone-hold-cleared'
  | 'privacy-package.fetched'
  | 'person.blocked'
  | 'person.erased'
  | 'user.phone-changed'
  | 'user.phone-confirmed'
  | 'user.names-changed'
  | 'onboarding.consented'
  | 'onboarding.step-taken'
  | 'change.requested'
  | 'change.approved'
  | 'change.rejected'
  | 'change.executed'
  | 'change.failed'
  | 'privacy-request.opened'
  | 'privacy-request.answered'
  | 'privacy-request.done'
  | 'opposition.ended'
  | 'documents.listed'
  | 'document.viewed';

/** Who changes something, and further details of it for the audit log. */
export interface AuditedBy {
  by: Pick<Caller, 'kind' | 'id'>;
  auditDetails?: object;
}

export interface Audited {
  by: Pick<Caller, 'kind' | 'id'>;
  action: AuditAction;
  /** Null where it concerns several objects, which `details` names, or none. */
  objectId: string | null;
  /** Ids, numbers and states; never a name, a phone or a key. */
  details?: object;
}

/**
 * Writes an audit entry, in the database transaction of the change. A read changes nothing, so its
 * entry needs no transaction. The log is append-only, so it holds no personal data but the address
 * (/64) of a caller whose credential was refused.
 */
export async function recordAudit(
  db: Db,
  { by, action, objectId, details = {} }: Audited,
): Promise<void> {
  // A trigger lets the entry wait for the chain (db/triggers.sql.ts).
  await insertRow(db, 'audit_log', {
    id: newId(),
    actorKind: by.kind,
    actorId: by.id,
    action,
    objectId,
    details,
  });
}

/** Old and new values of the fields that a change names, for the audit log: none may be personal. */
export function changedValues<Row extends object>(
  row: Row,
  changes: Partial<Row>,
): { before: Partial<Row>; after: Partial<Row> } {
  const fields = Object.keys(changes) as Array<keyof Row>;
  const before = Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<Row>;
  return { before, after: changes };
}

/** A person or a key of ops whose call is not at hand: at a sign-in, or when a request is executed later. */
export function opsActor(id: string): Audited['by'] {
  return { kind: 'ops', id };
}
