import { updateRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { OpsScope } from '@fiado/shared/contracts/scopes';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { lockStaffMember, type StaffMember } from '../db/staff.repository';
import { endSessionsOf } from '../db/staff-sessions.repository';

/**
 * Gives a person another role and ends its sessions; the same role again changes nothing.
 * @throws AppError STAFF_NOT_FOUND
 */
export function changeStaffRole(
  { db }: Context,
  { by, staffId, role }: { by: Caller; staffId: string; role: OpsScope },
): Promise<StaffMember> {
  return db.transaction(async (tx) => {
    const member = await lockStaffMember(tx, staffId);
    if (member === undefined) throw new AppError('STAFF_NOT_FOUND');
    if (member.role === role) return member;
    await updateRow(tx, 'staff', staffId, { role });
    await endSessionsOf(tx, staffId);
    const details = { before: member.role, after: role };
    await recordAudit(tx, { by, action: 'staff.role-changed', objectId: staffId, details });
    return { ...member, role };
  });
}
