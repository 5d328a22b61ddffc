import type { Db } from '@fiado/chassis/db/database';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { AuditAction } from '@fiado/contracts/audit-actions';
import type { Caller } from '@fiado/contracts/caller';
import type { AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { AuditEntryRow } from './audit-entry.entity';

/** The caller who changes something, and further details for the audit log. */
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
  await db.manager.insert(AuditEntryRow, {
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

/** The actor of what accounts does without a caller: in loops, and after a restore. */
export const BY_ACCOUNTS = { kind: 'service', id: 'accounts' } as const;

/** A person or a key of ops whose call is not at hand: at a sign-in, or when a request is executed later. */
export function opsActor(id: string): Audited['by'] {
  return { kind: 'ops', id };
}

interface RecordAuditOfOthers extends AuditRecorded {
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
    await tx.manager.insert(AuditEntryRow, { id: newId(), objectId: objectId ?? null, ...entry });
  });
}
