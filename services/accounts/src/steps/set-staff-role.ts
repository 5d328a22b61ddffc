import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import type { OpsScope } from '@fiado/contracts/scopes';
import { recordAudit } from '../db/audit-log.repository';
import type { StaffMember } from '../db/staff.repository';
import { endSessionsOf } from '../db/staff-sessions.repository';

export interface NewRole {
  by: Pick<Caller, 'kind' | 'id'>;
  role: OpsScope;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/** Gives a locked person another role, and ends its sessions. */
export async function setStaffRole(
  tx: Transaction,
  member: StaffMember,
  { by, role, auditDetails = {} }: NewRole,
): Promise<StaffMember> {
  const changes = { role, version: member.version + 1 };
  await updateRow(tx, 'staff', member.id, changes);
  await endSessionsOf(tx, member.id);
  const details = { before: member.role, after: role, ...auditDetails };
  await recordAudit(tx, { by, action: 'staff.role-changed', objectId: member.id, details });
  return { ...member, ...changes };
}
